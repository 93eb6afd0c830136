// Badge of an order's state.
import { useTranslation } from 'react-i18next';
import { OrderState } from '@/core/constants.gen';
import type { Tone } from '../Notice';
import { Badge } from '../State';

const TONES: Partial<Record<OrderState, Tone>> = {
  [OrderState.Unpaid]: 'warn',
  [OrderState.Paid]: 'accent',
  [OrderState.Fulfilled]: 'good',
  [OrderState.PartlyFulfilled]: 'warn',
  [OrderState.Refunded]: 'accent',
};

export function OrderStateBadge({ state }: { state: OrderState }) {
  const { t } = useTranslation('orders');
  return <Badge tone={TONES[state] ?? 'neutral'}>{t(`state.${state}`)}</Badge>;
}
