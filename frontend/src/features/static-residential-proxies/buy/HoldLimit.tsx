// How many IPs the account's unpaid orders can hold, and how to raise the limit.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { holdLimitQuery } from '@/api/staticProxies';
import { core } from '@/core';
import q from '@/ui/order/quote.module.css';

export function HoldLimit() {
  const { t } = useTranslation('static_residential_proxies');
  // Refetched, because an order that was paid or has ended changes it.
  const asked = useQuery({ ...holdLimitQuery, refetchOnMount: 'always' });
  const limit = asked.data;
  if (!limit) return null;
  return (
    <p className={q.hold}>
      {t('order.holdLimit', { Max: limit.MaxIps, Held: limit.HeldIps })}{' '}
      {limit.Missing != null &&
        t('order.holdMore', {
          Missing: core().displayMoney(limit.Missing, limit.Currency),
          NextMax: limit.NextMaxIps,
        })}
    </p>
  );
}
