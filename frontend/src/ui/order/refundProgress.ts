// How far refunds to where the money came from have come: badge tones, and whether an order has one that goes on.
import type { Schemas } from '@/api/client';
import { RefundProgress } from '@/core/constants.gen';
import type { Tone } from '../Notice';

/** Amber where somebody has to do something. */
export const REFUND_TONES: Record<RefundProgress, Tone> = {
  [RefundProgress.Requested]: 'accent',
  [RefundProgress.ByHand]: 'warn',
  [RefundProgress.OnItsWay]: 'accent',
  [RefundProgress.ToBeClaimed]: 'warn',
  [RefundProgress.Arrived]: 'good',
  [RefundProgress.Failed]: 'bad',
};

const OVER: readonly RefundProgress[] = [RefundProgress.Arrived, RefundProgress.Failed];

const REFETCH_MS = 15_000;

/** How often an order is fetched again while a refund of it is under way. */
export const refetchOfRefunds = (order: Pick<Schemas['OrderView'], 'Refunds'> | undefined): number | false =>
  order?.Refunds.some(({ Source }) => Source && !OVER.includes(Source.Progress)) ? REFETCH_MS : false;
