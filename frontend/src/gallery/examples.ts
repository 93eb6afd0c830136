// Sample data for the gallery.

import type { Details } from '@/api/account';
import type { Schemas } from '@/api/client';
import type { TrafficBatch } from '@/api/traffic';
import type { Coupon } from '@/core';

export interface Row {
  id: number;
  name: string;
  country: string;
  price: string;
  endsAt: string;
}

const COUNTRIES = ['DE', 'JP', 'US', 'GB', 'FR'];

export const ROWS: Row[] = Array.from({ length: 12 }, (_, index) => ({
  id: index + 1,
  name: `proxy-${index + 1}`,
  country: COUNTRIES[index % COUNTRIES.length] ?? 'DE',
  price: `${(index + 1) * 3}.50`,
  endsAt: `2026-12-${String(index + 1).padStart(2, '0')} 10:00:00`,
}));

const GB = 1_000_000_000;

export const BATCH: TrafficBatch = {
  BatchId: 1,
  OrderId: 7,
  OrderNumber: 'ORD-2026-00007',
  BoughtBytes: 50 * GB,
  UsedBytes: 12 * GB,
  LeftBytes: 38 * GB,
  BeginsAt: '2026-11-20 09:30:00',
  EndsAt: '2026-12-20 09:30:00',
  EndsSoon: false,
  IsOver: false,
};

export const COUPON: Coupon = { Code: 'WELCOME10', Benefit: { Percent: 1000 }, Minimum: '0.00' };

export const DETAILS: Details = {
  CompanyName: 'Example Ltd',
  FirstName: 'Ann',
  LastName: 'Example',
  Address: '1 Example Street',
  PostalCode: '10001',
  City: 'New York',
  Country: 'US',
  TaxNumber: '',
  Phone: '',
  Messenger: '',
  Website: '',
};

const AT = '2026-11-20 09:30:00';
const node = (NodeId: number) => ({
  NodeId,
  Ip: `198.18.0.${NodeId}`,
  City: 'tokyo',
  Country: 'JP',
  StartsAt: AT,
  EndsAt: '2026-12-20 09:30:00',
  IsOwned: true,
});
const issued = { OrderId: 1, OrderNumber: 'PO1', Currency: 'USD', IssuedAt: AT } as const;

export const ORDER: Schemas['OrderView'] = {
  OrderId: 1,
  OrderNumber: 'PO1',
  Kind: 'purchase',
  State: 'fulfilled',
  Currency: 'USD',
  Quantity: 3,
  PeriodDays: 30,
  Lines: [
    {
      City: 'tokyo',
      Country: 'JP',
      LabelEn: 'Regular',
      LabelZh: '普通',
      VerStr: 'regular',
      Quantity: 3,
      UnitPrice: '5.00',
      Amount: '15.00',
    },
  ],
  Subtotal: '15.00',
  Discounts: [{ Kind: 'coupon', Amount: '1.50', BasisPoints: 1000 }],
  DiscountTotal: '1.50',
  Coupon: COUPON.Code,
  Total: '13.50',
  Refunded: '4.50',
  Refunds: [{ Amount: '4.50', CreatedAt: AT, CreditNote: 'CN-1', Reason: 'One IP was not reachable' }],
  Payments: [
    {
      PaymentId: 'pay-1',
      OrderId: 1,
      PaymentMethod: 'wallet',
      State: 'succeeded',
      Amount: '13.50',
      Currency: 'USD',
      CreatedAt: AT,
    },
  ],
  Invoices: [
    { ...issued, InvoiceNumber: 'INV-1', Kind: 'invoice', Total: '13.50' },
    { ...issued, InvoiceNumber: 'CN-1', Kind: 'credit_note', Total: '4.50', Corrects: 'INV-1' },
  ],
  Timeline: [
    { Event: 'created', At: AT },
    { Event: 'paid', At: AT, Amount: '13.50' },
    { Event: 'fulfilled', At: AT },
  ],
  Nodes: [node(1), node(2), { ...node(3), IsOwned: false }],
  Replacements: [{ OldIp: '198.18.0.9', NewIp: '198.18.0.1', At: AT }],
  CanPay: false,
  CanCancel: false,
  SecondsLeft: 0,
  CreatedAt: AT,
  PaidAt: AT,
  ExpiresAt: AT,
};

const refund = (ReturnId: number, source: Partial<Schemas['SourceRefund']>): Schemas['RefundView'] => ({
  Amount: '4.50',
  CreatedAt: AT,
  CreditNote: 'CN-1',
  Reason: 'One IP was not reachable',
  Source: {
    ReturnId,
    Gateway: 'stripe',
    Progress: 'on_its_way',
    Amount: '4.50',
    Charged: '4.50',
    ChargedCurrency: 'USD',
    Reference: `re_${ReturnId}`,
    ChangedAt: AT,
    ...source,
  },
});

/** Refunds to where the money came from, one in each state. */
export const SOURCE_REFUNDS: Schemas['RefundView'][] = [
  refund(1, { Progress: 'requested', Reference: null }),
  refund(2, { Progress: 'by_hand', Gateway: 'transfer', Reference: null }),
  refund(3, {}),
  refund(4, { Progress: 'to_be_claimed', Gateway: 'btcpay' }),
  refund(5, { Progress: 'arrived', Gateway: 'epay', Charged: '32.06', ChargedCurrency: 'CNY' }),
  refund(6, { Progress: 'failed' }),
];
