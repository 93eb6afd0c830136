// Leads to the order form with the contents of an order.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { OrderKind, OrderState } from '@/core/constants.gen';
import { emptyBuyParams, type Quantities, useIpsStore } from '@/stores/ips';
import { ButtonLink } from '@/ui/Button';
import { isOfTraffic } from '@/ui/order/contents';

type Order = Schemas['OrderView'];

/** Whether an order like this one can be placed: an unpaid one is still to be paid. */
export const canOrderAgain = ({ Kind, State }: Order) => Kind === OrderKind.Purchase && State !== OrderState.Unpaid;

export function OrderAgain({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  if (isOfTraffic(order)) {
    const asked = new URLSearchParams({ gigabytes: String(order.Quantity), period: String(order.PeriodDays ?? 0) });
    return <ButtonLink to={`/residential-proxies/order?${asked}`}>{t('orderAgain')}</ButtonLink>;
  }
  const quantities: Quantities = {};
  for (const { Country, City, Quantity } of order.Lines) {
    if (Country && City) quantities[City] = { country: Country, quantity: Quantity };
  }
  const verStr = order.Lines[0]?.VerStr ?? '';
  const params = { ...emptyBuyParams, verStr, periodDays: order.PeriodDays ?? 0, quantities };
  return (
    <ButtonLink
      to={`/static-residential-proxies/order?${new URLSearchParams({ plan: verStr })}`}
      onClick={() => useIpsStore.getState().setBuyParams(params)}
    >
      {t('orderAgain')}
    </ButtonLink>
  );
}
