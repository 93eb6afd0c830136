// An order's state, in words and colour.
import { useTranslation } from 'react-i18next';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';

const TONES: Record<string, Tone> = {
  unpaid: 'warn',
  paid: 'accent',
  fulfilled: 'good',
  partly_fulfilled: 'warn',
  refunded: 'accent',
};

export function OrderStateBadge({ state }: { state: string }) {
  const { t } = useTranslation('orders');
  return <Badge tone={TONES[state] ?? 'neutral'}>{t(`state.${state}` as 'state.unpaid')}</Badge>;
}
