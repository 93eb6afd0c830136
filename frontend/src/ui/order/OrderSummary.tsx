// One-line summary of an order: quantity, plan, period and expiry, or the amount of a top-up.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind } from '@/core/constants.gen';
import { dayOf, useName } from '../texts';
import { isOfTraffic, usePeriodOf } from './contents';
import { Parts } from './Parts';

interface OrderSummaryProps {
  order: Schemas['OrderView'];
  /** Expiry of what was bought, if known. */
  end: string | undefined;
}

export function OrderSummary({ order, end }: OrderSummaryProps) {
  const { t } = useTranslation('orders');
  const what = useWhat()(order);
  const period = usePeriodOf();
  const parts = [
    what,
    order.PeriodDays != null && period(order.PeriodDays),
    end && t('summary.until', { Date: dayOf(end) }),
  ].filter((part) => typeof part === 'string');
  return <Parts parts={parts} />;
}

function useWhat() {
  const { t } = useTranslation('orders');
  const name = useName();
  return (order: Schemas['OrderView']) => {
    if (order.Kind === OrderKind.TopUp) {
      return t('summary.topUp', { Amount: core().displayMoney(order.Total, order.Currency) });
    }
    if (isOfTraffic(order)) return t('gigabytes', { Count: order.Quantity });
    const plans = new Set(order.Lines.map((line) => name({ en: line.LabelEn, zh: line.LabelZh })));
    const [plan] = plans.size === 1 ? plans : [];
    return plan ? t('summary.ips', { count: order.Quantity, Tier: plan }) : t('ips', { count: order.Quantity });
  };
}
