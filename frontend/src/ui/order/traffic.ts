// Orders of residential traffic, which are counted in gigabytes and have no IPs.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { TRAFFIC_PRODUCT } from '@/core/constants.gen';

export const isTraffic = (of: { VerStr?: string | null }) => of.VerStr === TRAFFIC_PRODUCT;

/** How much an order is of: so many gigabytes, so many IPs, or money for the wallet. */
export function useOrderSize() {
  const { t } = useTranslation('orders');
  return (order: Schemas['OrderView']) => {
    if (isTraffic(order)) return t('gigabytes', { Count: order.Quantity });
    return order.Quantity > 0 ? t('ips', { count: order.Quantity }) : t('walletMoney');
  };
}
