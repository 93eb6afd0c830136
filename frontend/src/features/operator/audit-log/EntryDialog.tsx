// One entry of the audit log, in full.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { DateText } from '@/ui/texts';
import { AuditActor, AuditChanges, useAuditText } from '../AuditChanges';
import { isAboutOrder, isAboutPayment } from './actions';
import s from './audit-log.module.css';

type Entry = Schemas['AuditEntry'];

/** The screen of an entry's subject, if it has one. */
function addressOf(action: Entry['Action'], subject: string): string | undefined {
  if (isAboutOrder(action)) return `${OPERATOR_PATH}/orders?OrderNumber=${subject}`;
  if (isAboutPayment(action)) return `${OPERATOR_PATH}/payments?${new URLSearchParams({ Search: subject })}`;
  return undefined;
}

/** What an entry is about, with links to the order or payment and the account. */
export function About({ entry: { Action, Subject, AccountId, Email } }: { entry: Entry }) {
  const { t } = useTranslation('audit');
  const address = addressOf(Action, Subject);
  if (!Subject && !AccountId) return <span>–</span>;
  return (
    <span className={s.about} data-lines="">
      {Subject && (address ? <Link to={address}>{Subject}</Link> : <span>{Subject}</span>)}
      {AccountId && (
        <Link to={`${OPERATOR_PATH}/accounts/${AccountId}`}>
          {Email ?? t('onlyAccount', { AccountId: String(AccountId) })}
        </Link>
      )}
    </span>
  );
}

export function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation(['audit', 'common']);
  const auditText = useAuditText();
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={auditText(entry)}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <div className={s.entry}>
        <dl className={s.facts}>
          <dt>{t('time')}</dt>
          <dd>
            <DateText value={entry.At} />
          </dd>
          <dt>{t('who')}</dt>
          <dd>
            <AuditActor entry={entry} />
          </dd>
          {entry.Address && (
            <>
              <dt>{t('address')}</dt>
              <dd>{entry.Address}</dd>
            </>
          )}
          <dt>{t('about')}</dt>
          <dd>
            <About entry={entry} />
          </dd>
        </dl>
        <AuditChanges entry={entry} />
      </div>
    </Dialog>
  );
}
