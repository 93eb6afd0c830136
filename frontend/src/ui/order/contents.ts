// Short descriptions of what an order is for: IPs, traffic or a top-up.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind, OrderState, TRAFFIC_PRODUCT } from '@/core/constants.gen';

type Order = Pick<Schemas['OrderView'], 'Kind' | 'Lines' | 'Quantity' | 'PeriodDays'>;

/** Whether the order is for residential traffic: its quantity is gigabytes, and it has no IPs. */
export const isOfTraffic = (order: Pick<Order, 'Lines'>) => order.Lines.some((line) => line.VerStr === TRAFFIC_PRODUCT);

/** Period of an order. */
export function usePeriodOf() {
  const { t } = useTranslation('orders');
  return (periodDays: number) => (periodDays === 0 ? t('neverExpires') : t('days', { count: periodDays }));
}

export function useContentsText() {
  const { t } = useTranslation('orders');
  const period = usePeriodOf();
  return (order: Order) => {
    if (order.Kind === OrderKind.TopUp || order.Quantity === 0) return t('walletTopUp');
    if (!isOfTraffic(order)) return t('ips', { count: order.Quantity });
    return [t('gigabytes', { Count: order.Quantity }), period(order.PeriodDays ?? 0)].join(' · ');
  };
}

/** Name of a discount with its coupon code, if any, and its percentage. */
export function useDiscountText() {
  const { t } = useTranslation('orders');
  return ({ Kind, BasisPoints }: Pick<Schemas['Discount'], 'Kind' | 'BasisPoints'>, coupon = '') => {
    const name = [t(`discount.${Kind}`), coupon].filter(Boolean).join(' ');
    return BasisPoints > 0 ? t('discountOf', { Name: name, Percent: core().displayPercent(BasisPoints) }) : name;
  };
}

/** The latest expiry of an order's IPs; undefined if all were refunded. */
export function endOf(order: Schemas['OrderView']): string | undefined {
  if (order.State === OrderState.Refunded) return undefined;
  return order.Nodes.map((node) => node.EndsAt)
    .sort()
    .at(-1);
}
