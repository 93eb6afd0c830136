// Calls for operators about payments and documents of all customers: lists, the confirmation of a bank transfer, cases, money that gateways took back, callbacks processed again, exchange rates, and the month for the accountant.
import { change, file, query } from './calls';
import type { Schemas } from './client';
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

/** Name of the list of what gateways took back. */
export const PAYMENT_RETURNS = 'payment-returns';
export const loadPaymentReturns = list('Operator/GetPaymentReturnList');
export const disputeEvidence = file('Operator/GetDisputeEvidence');

/** What a payment changes. A refused confirmation is among the callbacks as well. */
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
