// The payment from whose page the customer has just returned: polled until it is settled.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ORDER, paymentQuery } from '@/api/orders';
import { useRefetch } from '@/api/useRefetch';
import { TRANSACTIONS } from '@/api/wallet';
import { PaymentState } from '@/core/constants.gen';
import { refreshUnpaidOrders } from '@/stores/order';
import { refreshWallet } from '@/stores/user';

const POLL_MS = 2_000;
/** What a payment changes. */
const OF_PAYMENT = [ORDER, [TRANSACTIONS]];
const PAYMENT_KEY = 'PaymentId';

/** Reads the payment id from the address, and removes it once settled, so that a reload does not announce it again. */
export function usePayment() {
  const refetch = useRefetch(OF_PAYMENT);
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get(PAYMENT_KEY);
  const [paymentId, setPaymentId] = useState(named);
  if (named && named !== paymentId) setPaymentId(named);
  const payment = useQuery({
    ...paymentQuery(paymentId ?? ''),
    enabled: paymentId !== null,
    refetchInterval: (query) => (query.state.data?.PayUrl ? POLL_MS : false),
  });
  const state = payment.data?.State;
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches what the payment changed when its state changes
  useEffect(() => {
    refreshWallet();
    refreshUnpaidOrders();
    refetch();
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
