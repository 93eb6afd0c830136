// Facts about the customer beside a conversation, with links.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { Badge } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './operator.module.css';

export function CustomerFacts({ facts }: { facts: Schemas['CustomerFacts'] }) {
  const { t, i18n } = useTranslation('support');
  const { Account } = facts;
  const now = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short', timeZone: facts.TimeZone }).format(
    new Date(),
  );
  return (
    <aside className={s.facts} aria-label={t('operator.customer')}>
      <h3>{t('operator.customer')}</h3>
      <dl>
        <dt>{t('operator.email')}</dt>
        <dd>
          <Link to={`${OPERATOR_PATH}/accounts/${Account.AccountId}`}>{Account.Email}</Link>
        </dd>
        {Account.State === 'suspended' && (
          <>
            <dt>{t('operator.account')}</dt>
            <dd>
              <Badge tone="bad">{t('operator.suspended')}</Badge>
            </dd>
          </>
        )}
        <dt>{t('operator.balance')}</dt>
        <dd>
          <MoneyText amount={Account.WalletBalance} currency={Account.Currency} />
        </dd>
        <dt>{t('operator.spent')}</dt>
        <dd>
          <MoneyText amount={Account.TotalExpenses} currency={Account.Currency} />
        </dd>
        <dt>{t('operator.proxies')}</dt>
        <dd>{facts.Proxies}</dd>
        <dt>{t('operator.orders')}</dt>
        <dd>
          <Link to={`${OPERATOR_PATH}/orders?AccountId=${Account.AccountId}`}>{facts.Orders}</Link>
          {facts.UnpaidOrders > 0 && ` · ${t('operator.unpaid', { Count: facts.UnpaidOrders })}`}
        </dd>
        <dt>{t('operator.language')}</dt>
        <dd>{t(`operator.languages.${facts.Language}`)}</dd>
        <dt>{t('operator.theirTime')}</dt>
        <dd>{`${now} (${facts.TimeZone})`}</dd>
        <dt>{t('operator.since')}</dt>
        <dd>
          <DateText value={Account.CreatedAt} />
        </dd>
        {facts.Note && (
          <>
            <dt>{t('operator.note')}</dt>
            <dd className={s.note}>{facts.Note}</dd>
          </>
        )}
      </dl>
    </aside>
  );
}
