// Unpaid orders and payment methods.
import { create } from 'zustand';
import { post, type Schemas } from '@/api/client';
import { paymentMethodsKey } from '@/api/orders';
import { onSignOut } from './user';
import { useStored } from './useStored';

interface OrderState {
  unpaidOrders: Schemas['OrderView'][];
  /** Payment methods by kind of order. */
  paymentMethodList: Record<string, Schemas['PaymentMethodView'][]>;
  /** When the unpaid orders were fetched, in milliseconds: remaining time is counted from here. */
  askedAt: number;
  /** Whether the first request for unpaid orders has ended, with or without success. */
  hasAsked: boolean;
  loadUnpaidOrders: () => Promise<void>;
  loadPaymentMethods: (kind: Schemas['OrderKind']) => Promise<void>;
}

export const useOrderStore = create<OrderState>((set) => ({
  unpaidOrders: [],
  paymentMethodList: {},
  askedAt: 0,
  hasAsked: false,
  loadUnpaidOrders: async () => {
    try {
      const unpaidOrders = await post('Order/GetUnpaidOrderList', undefined, { silent: true });
      set({ unpaidOrders, askedAt: Date.now() });
    } finally {
      set({ hasAsked: true });
    }
  },
  loadPaymentMethods: async (Kind) => {
    const methods = await post('Order/GetPaymentMethodList', { Kind });
    set(({ paymentMethodList }) => ({ paymentMethodList: { ...paymentMethodList, [Kind]: methods } }));
  },
}));

/** Fetches the unpaid orders again; if that fails, those shown stay. */
export const refreshUnpaidOrders = () =>
  useOrderStore
    .getState()
    .loadUnpaidOrders()
    .catch(() => {});

onSignOut(() => useOrderStore.setState({ unpaidOrders: [], paymentMethodList: {}, askedAt: 0, hasAsked: false }));

/** Payment methods for this kind of order. */
export function usePaymentMethods(kind: Schemas['OrderKind']) {
  const methods = useOrderStore((state) => state.paymentMethodList[kind]);
  return useStored(methods ?? null, {
    queryKey: paymentMethodsKey(kind),
    load: () => useOrderStore.getState().loadPaymentMethods(kind),
    staleTime: 60_000,
  });
}
