// A conversation for operators, with customer facts and canned answers.
import { ArrowLeft, CheckCircle } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { Schemas } from '@/api/client';
import {
  CONVERSATIONS,
  closeConversation,
  conversationKey,
  getConversation,
  markConversationRead,
  sendReply,
} from '@/api/support';
import { useCall } from '@/api/useCall';
import { useRefetch } from '@/api/useRefetch';
import { screenRules } from '@/core';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useMay } from '@/stores/may';
import { onSignOut } from '@/stores/user';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Badge, ErrorState } from '@/ui/State';
import { Composer, useAddFiles } from '../Composer';
import { MessageList } from '../MessageList';
import { useConversation } from '../useConversation';
import { useOutbox } from '../useOutbox';
import { useUploads } from '../useUploads';
import { CannedAnswers } from './CannedAnswers';
import { CustomerFacts } from './CustomerFacts';
import s from './operator.module.css';

/** What operators have begun to write, by account: they look up other screens meanwhile. */
const drafts = new Map<number, string>();
onSignOut(() => drafts.clear());

export function ConversationPane({ accountId }: { accountId: number }) {
  const { t } = useTranslation('support');
  const client = useQueryClient();
  const may = useMay();
  const { search } = useLocation();
  const shop = useConfigStore((state) => state.shop);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.get(accountId) ?? '');
  useEffect(() => {
    drafts.set(accountId, text);
  }, [accountId, text]);
  const files = useUploads();
  const addFiles = useAddFiles(files);
  const factsKey = conversationKey(accountId, 'facts');
  const own = useConversation(conversationKey(accountId, 'messages'), async (window) => {
    const found = await getConversation(accountId, window);
    client.setQueryData(factsKey, found);
    return found.Conversation;
  });
  // Included in the messages' response.
  const facts = useQuery<Schemas['OperatorConversation']>({ queryKey: factsKey, enabled: false }).data;
  const refreshList = useRefetch([CONVERSATIONS]);
  const outbox = useOutbox(
    (message, AttachmentIds, idempotencyKey) => sendReply(accountId, { Text: message, AttachmentIds }, idempotencyKey),
    async () => {
      refreshList();
      await own.refresh();
    },
  );
  const marked = useRef(0);
  const markRead = async (MessageId: number) => {
    if (!own.conversation?.Unread || MessageId <= marked.current || !may('Operator/MarkConversationRead')) return;
    marked.current = MessageId;
    await markConversationRead(accountId, MessageId)
      .then(refreshList)
      .catch(() => {
        marked.current = 0;
      });
  };
  const close = useCall(closeConversation);
  const insert = (canned: string) => {
    const filled = screenRules().fillCannedAnswer(canned, {
      Name: facts?.Customer.Account.Name ?? '',
      Email: facts?.Customer.Account.Email ?? '',
      Shop: shop?.ShopName ?? '',
      Operator: facts?.OperatorName ?? '',
    });
    setText((now) => (now.trim() ? `${now.trimEnd()}\n${filled}` : filled));
    field.current?.focus();
  };

  const back = (
    <Link className={s.back} to={`${OPERATOR_PATH}/support${search}`}>
      <ArrowLeft size={16} aria-hidden="true" />
      {t('operator.back')}
    </Link>
  );
  if (own.isFailed) {
    return (
      <div className={s.pane}>
        {back}
        <ErrorState onRetry={own.retry} />
      </div>
    );
  }
  if (!own.conversation || !facts) {
    return (
      <div className={s.pane}>
        {back}
        <div className={s.padded}>
          <LoadingState rows={6} />
        </div>
      </div>
    );
  }
  const { Name } = facts.Customer.Account;
  const mayClose = may('Operator/CloseConversation');
  return (
    <>
      <section
        className={s.pane}
        aria-label={t('operator.with', { Name })}
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          addFiles(event.dataTransfer.files);
        }}
      >
        <header className={s.paneHead}>
          {back}
          <h2>{Name}</h2>
          <Badge tone={own.conversation.State === 'open' ? 'good' : 'neutral'}>
            {t(`operator.state.${own.conversation.State}`)}
          </Badge>
          {mayClose && own.conversation.State === 'open' && own.conversation.Messages.length > 0 && (
            <Button
              size="small"
              icon={<CheckCircle size={16} />}
              loading={close.isBusy}
              onClick={() => close.run({ AccountId: accountId })}
            >
              {t('operator.closeIt')}
            </Button>
          )}
        </header>
        <MessageList
          conversation={own.conversation}
          side="operator"
          outbox={outbox}
          onEarlier={own.loadEarlier}
          onSeen={markRead}
          empty={<p className={s.empty}>{t('operator.nothingYet')}</p>}
        />
        {may('Operator/SendReply') && (
          <Composer
            text={text}
            onText={setText}
            files={files}
            onSend={outbox.write}
            field={field}
            tools={may('Operator/GetCannedAnswerList') && <CannedAnswers onChoose={insert} />}
          />
        )}
      </section>
      <CustomerFacts facts={facts.Customer} />
    </>
  );
}
