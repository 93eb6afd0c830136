// All conversations, for operators: list, conversation and customer facts.
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { CONVERSATION, CONVERSATIONS } from '@/api/support';
import { useRefetch } from '@/api/useRefetch';
import { Page } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { useConversationEvents } from '../useConversationEvents';
import { ConversationList } from './ConversationList';
import { ConversationPane } from './ConversationPane';
import s from './operator.module.css';

export function ConversationsPage() {
  const { t } = useTranslation('support');
  const accountId = Number(useParams().accountId ?? 0);
  const refetch = useRefetch([CONVERSATIONS, CONVERSATION]);
  useConversationEvents('Operator/WaitForConversations', refetch);
  return (
    <Page title={t('operator.title')} wide>
      <div className={s.panes} data-open={accountId > 0 || undefined}>
        <ConversationList selected={accountId} />
        {accountId > 0 ? (
          <ConversationPane key={accountId} accountId={accountId} />
        ) : (
          <div className={s.nothing}>
            <EmptyState title={t('operator.choose')} />
          </div>
        )}
      </div>
    </Page>
  );
}
