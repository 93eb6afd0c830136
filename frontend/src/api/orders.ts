// Calls for the account's orders and their payment.
import { queryOptions } from '@tanstack/react-query';
import { change, file, query } from './calls';
import { post } from './client';
import { list } from './lists';
import { TRAFFIC } from './traffic';

export const ORDER = ['order'];
export const orderQuery = (OrderId: number) =>
  queryOptions({ queryKey: [...ORDER, OrderId], queryFn: () => post('Order/GetOrder', { OrderId }) });
export const loadOrders = list('Order/GetOrderList');
/** The screen of the order fetches everything else again once the order is paid. */
export const payOrder = change('Order/PayOrder', { outdates: [ORDER] });
/** Tells only the customer in person where a refund is claimed. */
export const claimRefund = change('Order/ClaimRefund', { outdates: [ORDER] });
export const cancelOrder = change('Order/CancelOrder', { outdates: [ORDER, TRAFFIC] });
export const exportOrders = file('Order/ExportOrders');

export const paymentMethodsKey = (kind: string) => ['payment-methods', kind];
export const paymentQuery = (PaymentId: string) => query(['payment', PaymentId], 'Order/GetPayment', { PaymentId });
export const checkCoupon = change('Order/CheckCoupon');
