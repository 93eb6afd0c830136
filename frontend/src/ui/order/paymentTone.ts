// Badge tone of a payment's state.
import { PaymentState } from '@/core/constants.gen';
import type { Tone } from '../Notice';

const TONES: Record<string, Tone> = {
  [PaymentState.Succeeded]: 'good',
  [PaymentState.Failed]: 'bad',
  [PaymentState.Expired]: 'warn',
};

export const paymentTone = (state: string): Tone => TONES[state] ?? 'accent';
