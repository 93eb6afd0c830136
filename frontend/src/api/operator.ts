// Calls for operators: accounts, orders of all customers, proxy servers, the audit log, and the shop's alarms.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { change, file, query } from './calls';
import { post, type Schemas } from './client';
import { type Load, list } from './lists';

export const alarmsQuery = query(['alarms'], 'Operator/GetAlarmList');

/** Name of the list of accounts. */
export const ACCOUNTS = 'accounts';
const accountKey = ({ AccountId }: { AccountId: number }) => ['account', AccountId];
export const accountQuery = (AccountId: number) => ({
  ...query(accountKey({ AccountId }), 'Operator/GetAccount', { AccountId }),
  // Forms start with the current values.
  staleTime: 0,
  gcTime: 0,
});
export const loadAccounts = list('Operator/GetAccountList');
export const setAccountTerms = change('Operator/SetAccountTerms', { answers: accountKey, outdates: [[ACCOUNTS]] });
export const setAccountFlags = change('Operator/SetAccountFlags', { answers: accountKey });
export const setAccountState = change('Operator/SetAccountState', { answers: accountKey, outdates: [[ACCOUNTS]] });
export const saveAccountNote = change('Operator/SaveAccountNote', { answers: accountKey });
export const turnOffTwoFactorOf = change('Operator/TurnOffTwoFactor', { answers: accountKey });
/** Adds to the account's history. */
export const requestEmailChangeOf = change('Operator/RequestEmailChange', { outdates: (body) => [accountKey(body)] });
export const viewAsCustomer = change('Operator/ViewAsCustomer');

const TRANSACTIONS = 'account-transactions';
const transactionsKey = ({ AccountId }: { AccountId: number }) => [TRANSACTIONS, AccountId];
/** The transactions of a customer's wallet, newest first, page after page. */
export const accountTransactionsQuery = (AccountId: number, PageSize: number) =>
  infiniteQueryOptions({
    queryKey: transactionsKey({ AccountId }),
    queryFn: ({ pageParam, signal }) => {
      const page = { AccountId, PageSize, ...(pageParam && { After: pageParam }) };
      return post('Operator/GetTransactionList', page, { signal, silent: true });
    },
    initialPageParam: undefined as string | null | undefined,
    getNextPageParam: (page) => page.Next,
  });
export const adjustWallet = change('Operator/AdjustWallet', {
  answers: accountKey,
  outdates: (body) => [[ACCOUNTS], transactionsKey(body)],
});
/** What is left in the wallet is given up, or moves to another one. */
export const closeAccountOf = change('Operator/CloseAccount', {
  answers: accountKey,
  outdates: [[ACCOUNTS], [TRANSACTIONS]],
});

/** Name of the list of all customers' orders. */
export const ACCOUNT_ORDERS = 'account-orders';
const orderKey = ({ OrderNumber }: { OrderNumber: string }) => ['account-order', OrderNumber];
export const accountOrderQuery = (OrderNumber: string) =>
  queryOptions({
    queryKey: orderKey({ OrderNumber }),
    queryFn: () => post('Operator/GetOrder', { OrderNumber }),
  });
export const loadAccountOrders = list('Operator/GetOrderList');
/** The latest orders of a customer. */
export const latestOrdersQuery = (AccountId: number, PageSize: number) =>
  query([ACCOUNT_ORDERS, 'latest', AccountId, PageSize], 'Operator/GetOrderList', {
    Page: 1,
    PageSize,
    Sort: [],
    Filter: { AccountId },
    Search: '',
  });

export type ProxyServer = Schemas['ProxyServerView'];
/** Name of the list of proxy servers. */
export const PROXY_SERVERS = 'proxy-server-list';
const SERVERS = ['proxy-servers'];
export const proxyServersQuery = query(SERVERS, 'Operator/GetProxyServerList');
export const loadRejected = list('Operator/GetRejectedUsageList');
/** The server answers with all at once. */
export const loadProxyServers: Load<ProxyServer> = async ({ Page, PageSize }, options) => {
  const servers = await post('Operator/GetProxyServerList', undefined, options);
  return { Rows: servers.slice((Page - 1) * PageSize, Page * PageSize), Total: servers.length };
};
export const addProxyServer = change('Operator/AddProxyServer', { outdates: [SERVERS, [PROXY_SERVERS]] });
export const assignNodes = change('Operator/AssignNodes', { outdates: [SERVERS, [PROXY_SERVERS]] });
export const rotateProxyServer = change('Operator/RotateProxyServer');
export const removeProxyServer = change('Operator/RemoveProxyServer', { outdates: [SERVERS, [PROXY_SERVERS]] });

/** Name of the audit log. */
export const AUDIT_LOG = 'audit-log';
export const loadAuditLog = list('Operator/GetAuditLog');
export const exportAuditLog = file('Operator/ExportAuditLog');
