// Orders that wait to be paid, and through what they can be.
import { create } from 'zustand';
import { post, type Schemas } from '@/api/client';

interface OrderState {
  unpaidOrders: Schemas['OrderView'][];
  paymentMethodList: Schemas['PaymentMethodView'][];
  /** When the unpaid orders were asked for, in milliseconds: their time left counts from here. */
  askedAt: number;
  loadUnpaidOrders: () => Promise<void>;
  loadPaymentMethods: (kind: Schemas['OrderKind']) => Promise<void>;
}

export const useOrderStore = create<OrderState>((set) => ({
  unpaidOrders: [],
  paymentMethodList: [],
  askedAt: 0,
  loadUnpaidOrders: async () => {
    const unpaidOrders = await post('Order/GetUnpaidOrderList', undefined, { silent: true });
    set({ unpaidOrders, askedAt: Date.now() });
  },
  loadPaymentMethods: async (Kind) => set({ paymentMethodList: await post('Order/GetPaymentMethodList', { Kind }) }),
}));
