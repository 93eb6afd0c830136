// An account for the tests of this folder, and what the server answers about it.
export const account = (change: object = {}) => ({
  AccountId: 7,
  Email: 'ann@example.com',
  Name: 'Ann Trading',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  WalletBalance: '12.00',
  TotalExpenses: '340.00',
  Currency: 'USD',
  CreatedAt: '2026-01-05 10:00:00',
  ...change,
});

export const entry = (change: object = {}) => ({
  EntryId: 1,
  At: '2026-02-01 09:00:00',
  Action: 'account_terms',
  Channel: 'command',
  Operator: null,
  Actor: 'root',
  Address: '',
  AccountId: 7,
  Email: 'ann@example.com',
  Subject: '',
  Reason: '',
  Changes: [],
  ...change,
});

export const detail = (found: object = account(), more: { Facts?: object; [field: string]: unknown } = {}) => ({
  Account: found,
  ClosedAt: null,
  ShowInvitationCode: true,
  ShowAccessToken: false,
  Note: '',
  Owed: '0.00',
  AcceptedTexts: [],
  History: [],
  ...more,
  Facts: {
    Language: 'zh',
    TimeZone: 'Asia/Shanghai',
    LastSeenAt: '2026-02-02 08:00:00',
    HasTwoFactor: false,
    ApiKeys: 2,
    Proxies: 1_234,
    ProxyUsers: 3,
    Orders: 6,
    UnpaidOrders: 1,
    ...more.Facts,
  },
});

export const page = (Rows: unknown[], more: object = {}) => ({
  Data: { Rows, Total: Rows.length, TotalIsAtLeast: false, Page: 1, PageSize: 10, SortableFields: [], ...more },
});

export const transaction = (TransactionId: number, change: object = {}) => ({
  TransactionId,
  Kind: 'credit',
  Amount: '5.00',
  BalanceAfter: '12.00',
  Currency: 'USD',
  OrderId: null,
  OrderNumber: null,
  InvoiceNumber: null,
  ReceiptNumber: null,
  Reason: '',
  CreatedAt: '2026-02-01 09:00:00',
  ...change,
});

/** The answers to all calls that read. */
export const replies = (answered: object = detail()) => ({
  'Operator/GetAccount': { Data: answered },
  'Operator/GetOrderList': page([]),
  'Operator/GetTransactionList': page([]),
});
