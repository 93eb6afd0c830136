// A payment, a case, money that went back, a callback, an exchange rate and a document for the tests of this folder.
export const transfer = (change: object = {}) => ({
  PaymentId: '2611-0002',
  AccountId: 7,
  Email: 'ann@example.com',
  OrderNumber: 'PO23456789AB',
  OrderKind: 'top_up',
  OrderState: 'unpaid',
  OrderExpiresAt: '2026-02-17 09:00:00',
  PaymentMethod: 'transfer',
  State: 'pending',
  Amount: '50.00',
  Currency: 'USD',
  CreatedAt: '2026-02-03 09:00:00',
  SettledAt: null,
  LastVerdict: null,
  ...change,
});

export const paymentCase = (change: object = {}) => ({
  CaseId: 4,
  Kind: 'other_amount',
  Gateway: 'btcpay',
  Subject: '2611-0002',
  PaymentId: '2611-0002',
  OrderId: 3,
  OrderNumber: 'PO23456789AB',
  AccountId: 7,
  Email: 'ann@example.com',
  Currency: 'USD',
  Due: '25.00',
  Credited: '24.99',
  Reported: '178.05',
  ReportedCurrency: 'CNY',
  OpenedAt: '2026-02-03 09:00:00',
  ClosedAt: null,
  ClosedBy: null,
  Note: '',
  ...change,
});

export const closed = (change: object = {}) =>
  paymentCase({
    ClosedAt: '2026-02-04 09:00:00',
    ClosedBy: 'operator@example.com',
    Note: 'The customer was told',
    ...change,
  });

/** A dispute that is being decided. */
export const paymentReturn = (change: object = {}) => ({
  ReturnId: 5,
  Kind: 'dispute',
  State: 'open',
  Gateway: 'stripe',
  PaymentId: '2611-0002',
  OrderId: 3,
  OrderNumber: 'PO23456789AB',
  AccountId: 7,
  Email: 'ann@example.com',
  Currency: 'USD',
  Taken: '20.00',
  Reported: '142.50',
  ReportedCurrency: 'CNY',
  Reason: 'fraudulent',
  DueAt: '2999-01-02 09:00:00',
  OpenedAt: '2026-02-03 09:00:00',
  ChangedAt: '2026-02-03 09:00:00',
  Owed: '5.00',
  Progress: null,
  Reference: 'dp_1',
  Trouble: '',
  CanBeSettled: false,
  ...change,
});

/** A refund of the shop that an operator has to send. */
export const refundByHand = (change: object = {}) =>
  paymentReturn({
    Kind: 'by_shop',
    Gateway: 'transfer',
    Reason: '',
    DueAt: null,
    Owed: '0.00',
    Progress: 'by_hand',
    Reference: '',
    CanBeSettled: true,
    ...change,
  });

export const exchangeRate = (change: object = {}) => ({
  Currency: 'CNY',
  ShopCurrency: 'USD',
  Methods: ['epay'],
  Rate: '7.125',
  FeedUrl: null,
  FeedPath: null,
  Margin: null,
  SetAt: '2026-02-03 09:00:00',
  Problem: null,
  IsUsable: true,
  ...change,
});

export const fetchedRate = (change: object = {}) =>
  exchangeRate({ FeedUrl: 'https://rates.example/usd.json', FeedPath: '/rates/CNY', Margin: '1.5%', ...change });

export const callback = (change: object = {}) => ({
  CallbackId: 1,
  Gateway: 'stripe',
  Beginning: '{"type":"checkout.session.completed"}',
  SizeBytes: 2_048,
  Sha256: 'ab'.repeat(32),
  Sender: '192.0.2.7',
  Verdict: 'settle',
  IsRefused: false,
  CanReplay: false,
  PaymentId: '2611-0002',
  OrderId: 3,
  OrderNumber: 'PO23456789AB',
  ReceivedAt: '2026-02-03 09:00:00',
  JudgedAt: '2026-02-03 09:00:01',
  ...change,
});

export const document = (change: object = {}) => ({
  AccountId: 7,
  Email: 'ann@example.com',
  Invoice: {
    InvoiceNumber: 'INV-2026-000007',
    Kind: 'invoice',
    OrderId: 3,
    OrderNumber: 'PO23456789AB',
    Corrects: null,
    Total: '12.00',
    Currency: 'USD',
    IssuedAt: '2026-02-03 09:00:00',
    ...change,
  },
});

export const page = (Rows: object[], more: object = {}) => ({
  Data: { Rows, Total: Rows.length, TotalIsAtLeast: false, Page: 1, PageSize: 50, ...more },
});
