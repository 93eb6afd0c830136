// The payment from whose page the customer has just returned: polled until it is settled.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { post } from '@/api/client';
import { PaymentState } from '@/core/constants.gen';
import { useOrderStore } from '@/stores/order';
import { useSessionStore } from '@/stores/user';

const POLL_MS = 2_000;
const PAYMENT_KEY = 'PaymentId';

/** Reads the payment id from the address, and removes it once settled, so that a reload does not announce it again. */
export function usePayment() {
  const queryClient = useQueryClient();
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get(PAYMENT_KEY);
  const [paymentId, setPaymentId] = useState(named);
  if (named && named !== paymentId) setPaymentId(named);
  const payment = useQuery({
    queryKey: ['payment', paymentId],
    queryFn: () => post('Order/GetPayment', { PaymentId: paymentId ?? '' }, { silent: true }),
    enabled: paymentId !== null,
    refetchInterval: (query) => (query.state.data?.PayUrl ? POLL_MS : false),
  });
  const state = payment.data?.State;
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches what the payment changed when its state changes
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
    if (named && state && state !== PaymentState.Pending) {
      setParameters(
        (now) => {
          const others = new URLSearchParams(now);
          others.delete(PAYMENT_KEY);
          return others;
        },
        { replace: true },
      );
    }
  }, [state]);
  return payment;
}
