// What an operator wants to know of a customer at a glance.
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { isPositive } from '@/core/money';
import { fillText } from '@/ui/fillText';
import { Card } from '@/ui/Page';
import { Badge } from '@/ui/State';
import { DateText, MoneyText, useNumber } from '@/ui/texts';
import s from './accounts.module.css';

export function AccountFacts({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t, i18n } = useTranslation('accounts');
  const number = useNumber();
  const { Account, Facts, Owed } = detail;
  const timeZone = Facts.TimeZone;
  const now = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short', timeZone }).format(new Date());
  return (
    <Card title={t('facts.title')}>
      <dl className={s.list}>
        <dt>{t('balance')}</dt>
        <dd>
          <strong>
            <MoneyText amount={Account.WalletBalance} currency={Account.Currency} />
          </strong>
        </dd>
        {isPositive(Owed) && (
          <>
            <dt>{t('owed')}</dt>
            <dd>
              <Badge tone="bad">
                <MoneyText amount={Owed} currency={Account.Currency} />
              </Badge>
            </dd>
          </>
        )}
        <dt>{t('spent')}</dt>
        <dd>
          <MoneyText amount={Account.TotalExpenses} currency={Account.Currency} />
        </dd>
        <dt>{t('since')}</dt>
        <dd>
          <DateText value={Account.CreatedAt} />
        </dd>
        <dt>{t('facts.lastSeen')}</dt>
        <dd>
          <DateText value={Facts.LastSeenAt} />
        </dd>
        <dt>{t('facts.language')}</dt>
        <dd>{t(`facts.languages.${Facts.Language}`)}</dd>
        <dt>{t('facts.localTime')}</dt>
        <dd>{`${now} (${timeZone})`}</dd>
        <dt>{t('facts.proxies')}</dt>
        <dd>{number(Facts.Proxies)}</dd>
        <dt>{t('facts.proxyUsers')}</dt>
        <dd>{number(Facts.ProxyUsers)}</dd>
        <dt>{t('facts.apiKeys')}</dt>
        <dd>{number(Facts.ApiKeys)}</dd>
        <dt>{t('facts.unpaidOrders')}</dt>
        <dd>{number(Facts.UnpaidOrders)}</dd>
        <dt>{t('facts.twoFactor')}</dt>
        <dd>{t(Facts.HasTwoFactor ? 'facts.on' : 'facts.off')}</dd>
        {detail.AcceptedTexts.map(({ Kind, Version, AcceptedAt }) => (
          <Fragment key={`${Kind} ${Version}`}>
            <dt>{t(`facts.accepted.${Kind}`)}</dt>
            <dd>
              {fillText((marks) => t('facts.accepted.version', { Version, ...marks }), {
                At: <DateText value={AcceptedAt} />,
              })}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}
