// Outcome of a request: the response status, or why there was no response.
import { useTranslation } from 'react-i18next';
import type { AttemptView, DeliveryView } from '@/api/webhooks';
import { WEBHOOK_TIMEOUT_SECONDS } from '@/core/constants.gen';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';

interface OutcomeProps {
  status: AttemptView['Status'];
  problem: AttemptView['Problem'];
}

export function Outcome({ status, problem }: OutcomeProps) {
  const { t } = useTranslation('webhooks');
  const why = problem && t(`problem.${problem}`, { Seconds: WEBHOOK_TIMEOUT_SECONDS });
  return (
    <Badge tone={problem ? 'bad' : 'good'}>
      {status ?? why}
      {status && why && <span className="visually-hidden"> {why}</span>}
    </Badge>
  );
}

const TONES: Record<DeliveryView['State'], Tone> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function DeliveryBadge({ state }: { state: DeliveryView['State'] }) {
  const { t } = useTranslation('webhooks');
  return <Badge tone={TONES[state]}>{t(`delivery.${state}`)}</Badge>;
}
