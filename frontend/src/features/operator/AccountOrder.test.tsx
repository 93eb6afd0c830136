// A customer's order by role: who refunds it, what support hears beyond its limit, and how far refunds have come.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SOURCE_REFUNDS } from '@/gallery/examples';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { AccountOrder } from './AccountOrder';

const NUMBER = 'PO23456789AB';
const LINE = {
  VerStr: 'shared ISP proxies plan',
  LabelEn: 'Regular',
  LabelZh: '普通',
  Country: 'US',
  City: 'new-york',
  Quantity: 20,
  UnitPrice: '5.00',
  Amount: '100.00',
};
const ORDER = {
  OrderId: 3,
  OrderNumber: NUMBER,
  Kind: 'purchase',
  State: 'fulfilled',
  Quantity: 20,
  PeriodDays: 30,
  VerStr: LINE.VerStr,
  Lines: [LINE],
  Subtotal: '100.00',
  DiscountTotal: '0.00',
  Total: '100.00',
  Refunded: '0.00',
  Currency: 'USD',
  CreatedAt: '2026-02-01 08:00:00',
  PaidAt: '2026-02-01 08:01:00',
  ExpiresAt: '2026-02-08 08:00:00',
  SecondsLeft: 0,
  Discounts: [],
  Invoices: [],
  Nodes: [],
  Payments: [],
  Refunds: [],
  Replacements: [],
  Timeline: [],
};
const MESSAGE = 'Support can refund up to 50 of an order in total. Ask an operator to refund more';
const BEYOND = { Code: 3333, Message: MESSAGE, Data: { Key: 'supportRefundLimit', Max: 50 } };
const preview = ({ body }: Sent) =>
  body.Amount && Number(body.Amount) <= 50
    ? {
        Data: {
          OrderNumber: NUMBER,
          Amount: body.Amount,
          Currency: 'USD',
          IsWhole: false,
          LeftAfter: '95.00',
          Nodes: [],
          Paid: '100.00',
          Refunded: '0.00',
        },
      }
    : BEYOND;

async function opens(role: Parameters<typeof signInAs>[0], change: object = {}) {
  signInAs(role);
  const sent = answerWith({
    'Operator/GetOrder': {
      Data: { AccountId: 7, Email: 'ann@example.com', Name: 'Ann', Order: { ...ORDER, ...change }, Callbacks: [] },
    },
    'Operator/PreviewRefund': preview,
    'Operator/RefundOrder': { Data: { Amount: '5.00', Currency: 'USD', CreditNote: 'CN-2026-000001' } },
  });
  renderScreen(<AccountOrder orderNumber={NUMBER} />);
  await screen.findByRole('link', { name: '7' });
  return sent;
}

test('an accountant reads an order, and refunds nothing', async () => {
  const sent = await opens('accountant');
  expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
  expect(forbidden(sent, 'accountant')).toEqual([]);
});

test('support is told of its limit, and refunds less', async () => {
  const sent = await opens('support');
  await userEvent.click(screen.getByRole('button', { name: 'Refund' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(MESSAGE)).toBeVisible();
  // Not that there is nothing to refund.
  expect(dialog.queryByText(/has unused time to refund/)).toBeNull();
  await userEvent.click(dialog.getByRole('radio', { name: 'An amount' }));
  await waitFor(() => expect(dialog.queryByText(MESSAGE)).toBeNull());
  const amount = dialog.getByLabelText('Amount in USD');
  await userEvent.type(amount, '50.01');
  expect(await dialog.findByText(MESSAGE)).toBeVisible();
  await userEvent.clear(amount);
  await userEvent.type(amount, '5.00');
  await userEvent.type(dialog.getByLabelText('Reason'), 'slow');
  await userEvent.click(await dialog.findByRole('button', { name: 'Refund $5.00' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.findLast(({ call }) => call === 'Operator/RefundOrder')?.body).toEqual({
    OrderNumber: NUMBER,
    Amount: '5.00',
    ToSource: false,
    Reason: 'slow',
  });
});

test.each(['operator', 'accountant'] as const)('%s finds where refunds are recorded', async (role) => {
  const sent = await opens(role, { Refunds: SOURCE_REFUNDS, Refunded: '4.50' });
  const link = screen.getByRole('link', { name: 'Disputes and refunds' });
  expect(link).toHaveAttribute('href', '/operator/payments?view=returns&AccountId=7');
  const refunds = within(screen.getByRole('list', { name: 'Refunds' }));
  expect(refunds.getByText(/Send it, then record the outcome/)).toBeVisible();
  // The customer says where a refund goes.
  expect(refunds.queryByRole('link')).toBeNull();
  expect(forbidden(sent, role)).toEqual([]);
});

test('a top-up can be refunded once it is paid', async () => {
  await opens('operator', { Kind: 'top_up', State: 'fulfilled', Lines: [] });
  expect(screen.getByRole('button', { name: 'Refund' })).toBeVisible();
  cleanup();
  await opens('operator', { Kind: 'top_up', State: 'unpaid', Lines: [] });
  expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
});
