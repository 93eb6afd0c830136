// How a payment stands that the customer has just come back from: asked for until it is decided.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { post } from '@/api/client';
import { PaymentState } from '@/core/constants.gen';
import { useOrderStore } from '@/stores/order';
import { useSessionStore } from '@/stores/user';
import type { Tone } from '@/ui/Notice';

const TONES: Record<string, Tone> = {
  [PaymentState.Succeeded]: 'good',
  [PaymentState.Failed]: 'bad',
  [PaymentState.Expired]: 'warn',
};

export const paymentTone = (state: string): Tone => TONES[state] ?? 'accent';

const ASK_AGAIN_MS = 2_000;

export function usePayment(paymentId: string | null) {
  const queryClient = useQueryClient();
  const payment = useQuery({
    queryKey: ['payment', paymentId],
    queryFn: () => post('Order/GetPayment', { PaymentId: paymentId ?? '' }, { silent: true }),
    enabled: paymentId !== null,
    refetchInterval: (query) => (query.state.data?.PayUrl ? ASK_AGAIN_MS : false),
  });
  const state = payment.data?.State;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the payment changed is read again when its state is new
  useEffect(() => {
    useSessionStore
      .getState()
      .loadWallet()
      .catch(() => {});
    useOrderStore
      .getState()
      .loadUnpaidOrders()
      .catch(() => {});
    queryClient.invalidateQueries({ queryKey: ['order'] });
    queryClient.invalidateQueries({ queryKey: ['transactions'] });
  }, [state]);
  return payment;
}
