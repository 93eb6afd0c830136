// How many IPs the account's unpaid orders can hold, and how to raise the limit.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { core } from '@/core';
import q from '@/ui/order/quote.module.css';

export const HOLD_LIMIT = ['hold-limit'];

export function HoldLimit() {
  const { t } = useTranslation('static_residential_proxies');
  // Refetched, because an order that was paid or has ended changes it.
  const asked = useQuery({
    queryKey: HOLD_LIMIT,
    queryFn: ({ signal }) => post('Order/GetHoldLimit', undefined, { signal, silent: true }),
    refetchOnMount: 'always',
  });
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
