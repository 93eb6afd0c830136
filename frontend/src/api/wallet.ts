// Calls for the wallet: transactions, top-ups, the card, alerts; and for invoices and receipts.
import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { change, file, query } from './calls';
import { list } from './lists';

/** Name of the list of transactions, with which the keys of its queries begin. */
export const TRANSACTIONS = 'transactions';
export const latestTransactionsQuery = (PageSize: number) =>
  query([TRANSACTIONS, 'latest', PageSize], 'Wallet/GetTransactionList', {
    Page: 1,
    PageSize,
    Sort: [],
    Filter: {},
    Search: '',
  });
export const loadTransactions = list('Wallet/GetTransactionList');
export const exportTransactions = file('Wallet/ExportTransactions');

/** Fetched again when the total expenses have changed. */
export const monthlyExpensesQuery = (spent: string | undefined) => ({
  ...query(['monthly-expenses', spent], 'Wallet/GetMonthlyExpenses'),
  placeholderData: keepPreviousData,
});

export const createTopUp = change('Wallet/CreateTopUp');

const ALERT = ['low-balance-alert'];
export const lowBalanceAlertQuery = query(ALERT, 'Wallet/GetLowBalanceAlert');
export const setLowBalanceAlert = change('Wallet/SetLowBalanceAlert', { answers: ALERT });
/** What changes with the balance. */
export const OF_BALANCE = [[TRANSACTIONS], ALERT];

const AUTO_TOP_UP = ['auto-top-up'];
export const autoTopUpQuery = query(AUTO_TOP_UP, 'Wallet/GetAutoTopUp');
/** Cancels a fetch in flight, which may predate the card; a query without data is not refetched until it has ended. */
export async function refetchAutoTopUp(client: QueryClient): Promise<void> {
  await client.cancelQueries({ queryKey: AUTO_TOP_UP });
  await client.invalidateQueries({ queryKey: AUTO_TOP_UP });
}
export const setAutoTopUp = change('Wallet/SetAutoTopUp', { answers: AUTO_TOP_UP });
export const rememberCard = change('Wallet/RememberCard');
export const forgetCard = change('Wallet/ForgetCard', { answers: AUTO_TOP_UP });
export const cardRequestQuery = (CardRequestId: string) =>
  query(['card-request', CardRequestId], 'Wallet/GetCardRequest', { CardRequestId });

export const loadInvoices = list('Billing/GetInvoiceList');
export const invoiceFile = file('Billing/GetInvoicePdf');
export const receiptFile = file('Billing/GetReceiptPdf');
export const exportInvoices = file('Billing/ExportInvoices');
