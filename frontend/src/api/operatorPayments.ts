// Calls for operators about payments and documents of all customers: lists, the confirmation of a bank transfer, cases, refunds and other money that went back, callbacks processed again, exchange rates, and the month for the accountant.
import { keepPreviousData } from '@tanstack/react-query';
import { change, file, query } from './calls';
import type { BodyOf, Schemas } from './client';
import { list } from './lists';
import { ACCOUNT_ORDERS, ACCOUNTS, AUDIT_LOG } from './operator';

export type Payment = Schemas['AccountPayment'];
export type Callback = Schemas['CallbackPage']['Rows'][number];
export type PaymentCase = Schemas['PaymentCaseView'];
export type PaymentReturn = Schemas['PaymentReturnView'];
export type ExchangeRate = Schemas['ExchangeRateView'];
export type AccountInvoice = Schemas['AccountInvoice'];

/** Name of the list of all customers' payments. */
export const ACCOUNT_PAYMENTS = 'account-payments';
export const loadAccountPayments = list('Operator/GetPaymentList');

/** Name of the list of gateway callbacks. */
export const CALLBACKS = 'callbacks';
export const loadCallbacks = list('Order/GetCallbackList');
/** How many forged callbacks came lately, which every page of the list tells. */
export const forgedCallbacksQuery = query([CALLBACKS, 'forged'], 'Order/GetCallbackList', { Page: 1, PageSize: 10 });

/** Name of the list of payments' cases. */
export const PAYMENT_CASES = 'payment-cases';
export const loadPaymentCases = list('Operator/GetPaymentCaseList');
export const closePaymentCase = change('Operator/ClosePaymentCase', {
  outdates: [[PAYMENT_CASES], [AUDIT_LOG], ['operator-tasks']],
});

/** Name of the list of what went back to where it came from. */
export const PAYMENT_RETURNS = 'payment-returns';
export const loadPaymentReturns = list('Operator/GetPaymentReturnList');
export const disputeEvidence = file('Operator/GetDisputeEvidence');

/** What a payment or a refund changes. A refused confirmation is among the callbacks as well. */
const PAID = [
  [ACCOUNT_PAYMENTS],
  [PAYMENT_CASES],
  [PAYMENT_RETURNS],
  [CALLBACKS],
  [ACCOUNT_ORDERS],
  ['account-order'],
  [ACCOUNTS],
  ['account-transactions'],
  [AUDIT_LOG],
  ['operator-tasks'],
];
export const settlePayment = change('Order/SettlePayment', { outdates: PAID });
/** Processes a refused callback again. */
export const replayCallback = change('Operator/ReplayCallback', { outdates: PAID });

const refundQuery = (body: BodyOf<'Operator/PreviewRefund'>) => ({
  ...query(['refund-preview', body], 'Operator/PreviewRefund', body),
  retry: false,
  staleTime: 0,
  gcTime: 0,
});
/** What a refund of this much would do. */
export const refundPreviewQuery = (scope: Omit<BodyOf<'Operator/PreviewRefund'>, 'Reason'>) => ({
  ...refundQuery({ ...scope, Reason: '' }),
  placeholderData: keepPreviousData,
});
/** What could be refunded of an order. */
export const refundableQuery = (OrderNumber: string) => refundQuery({ OrderNumber, Reason: '' });
/** Where the money of an order can go back to, as the smallest amount would. */
export const refundSourceQuery = (OrderNumber: string, ToSource: boolean) =>
  refundQuery({ OrderNumber, Amount: '0.01', ToSource, Reason: '' });
export const refundOrder = change('Operator/RefundOrder', { outdates: PAID });
/** Records the outcome of a refund that was sent by hand. */
export const settleRefund = change('Operator/SettleRefund', { outdates: PAID });

const EXCHANGE_RATES = ['exchange-rates'];
export const exchangeRatesQuery = query(EXCHANGE_RATES, 'Operator/GetExchangeRateList');
export const setExchangeRate = change('Operator/SetExchangeRate', {
  answers: EXCHANGE_RATES,
  outdates: [[AUDIT_LOG], ['payment-methods']],
});

/** Name of the list of all customers' invoices and credit notes. */
export const ACCOUNT_INVOICES = 'account-invoices';
export const loadAccountInvoices = list('Operator/GetInvoiceList');
export const exportMonth = file('Operator/ExportInvoices');
