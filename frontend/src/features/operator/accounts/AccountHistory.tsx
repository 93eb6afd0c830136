// What operators did about an account, newest first; all of it is in the audit log.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { ButtonLink } from '@/ui/Button';
import { Parts } from '@/ui/order/Parts';
import { Card } from '@/ui/Page';
import { DateText } from '@/ui/texts';
import { AuditActor, AuditChanges, useAuditText } from '../AuditChanges';
import s from './accounts.module.css';

const SHOWN = 10;

export function AccountHistory({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  const auditText = useAuditText();
  const may = useMay();
  const { AccountId } = detail.Account;
  return (
    <Card
      title={t('history.title')}
      aside={
        detail.History.length > 0 &&
        may('Operator/GetAuditLog') && (
          <ButtonLink to={`${OPERATOR_PATH}/audit-log?AccountId=${AccountId}`} variant="ghost" size="small">
            {t('history.all')}
          </ButtonLink>
        )
      }
    >
      {detail.History.length === 0 && <p className={s.soft}>{t('history.none')}</p>}
      <ol className={s.rows} aria-label={t('history.title')}>
        {detail.History.slice(0, SHOWN).map((entry) => (
          <li key={entry.EntryId}>
            <div>
              <strong>{auditText(entry)}</strong>
              {entry.Subject && <span>{entry.Subject}</span>}
              <AuditChanges entry={entry} />
              <small>
                <Parts parts={[<DateText key="at" value={entry.At} />, <AuditActor key="actor" entry={entry} />]} />
              </small>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
