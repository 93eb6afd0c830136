// Renewing: the price shown is the price charged.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useSessionStore } from '@/stores/user';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { COMMON_REPLIES, node, REGULAR } from '../fixtures';
import { selectionOfNode } from './bulkSelection';
import { RenewDialog } from './RenewDialog';

const preview = (Total: string, change: object = {}) => ({
  EarliestExpiresAt: '2026-12-31 00:00:00',
  LatestExpiresAt: '2026-12-31 00:00:00',
  Failed: [],
  Quote: {
    PeriodDays: 30,
    Quantity: 1,
    Currency: 'USD',
    Lines: [{ VerStr: REGULAR, Quantity: 1, UnitPrice: '5.00', Amount: '5.55', Net: Total }],
    Subtotal: '5.55',
    Discounts: [],
    DiscountTotal: '0.00',
    Total,
  },
  ...change,
});

beforeEach(() => {
  onPhone();
  useSessionStore.setState({ wallet: walletOf('20.00') });
});

const open = (usual = 30) =>
  renderScreen(<RenewDialog selection={selectionOfNode(node(1, { PeriodDays: usual }))} onClose={() => {}} />);
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

test('a price that has changed is shown instead of ordered', async () => {
  let total = '5.00';
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/IpsNoneRenewByPrice': () => ({ Data: preview(total) }),
    'Ips/IpsNoneRenew': ({ body }) => {
      total = '6.00';
      return body.ExpectedTotal === '5.00'
        ? { Code: 4004, Message: 'x', Data: { OldPrice: '5.00', NewPrice: '6.00' } }
        : { Data: { OrderId: 9 } };
    },
    'Order/GetUnpaidOrderList': { Data: [] },
  });
  const { addressNow } = open();
  const submit = screen.getByRole('button', { name: 'Continue to payment' });
  await waitFor(() => expect(submit).toBeEnabled());
  await userEvent.click(submit);
  expect(await screen.findByText(/The price has just changed/)).toBeVisible();
  expect(await screen.findByText('$6.00')).toBeVisible();
  await userEvent.click(submit);
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=9'));
  expect(of(sent, 'Ips/IpsNoneRenew').map((body) => body.ExpectedTotal)).toEqual(['5.00', '6.00']);
});

test('a covered renewal is paid from the wallet with one press, and its order is shown', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/IpsNoneRenewByPrice': { Data: preview('5.00') },
    'Ips/IpsNoneRenew': { Data: { OrderId: 9, Quantity: 1 } },
  });
  const { addressNow } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Renew now' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=9'));
  expect(of(sent, 'Ips/IpsNoneRenew')).toEqual([
    { NodeIds: [1], PeriodDays: 30, ExpectedTotal: '5.00', PayFromWallet: true },
  ]);
  expect(of(sent, 'User/GetWallet')).toHaveLength(1);
});

test('a wallet that is short offers the other payments only', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/IpsNoneRenewByPrice': { Data: preview('20.01') } });
  open();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeEnabled());
  expect(screen.queryByRole('button', { name: 'Renew now' })).toBeNull();
});

test("the proxy's current period is preselected, and another one is quoted", async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/IpsNoneRenewByPrice': ({ body }) => ({ Data: preview(body.PeriodDays === 90 ? '14.25' : '5.00') }),
  });
  open(90);
  expect(await screen.findByText('$14.25')).toBeVisible();
  expect(screen.getByText('$5.75')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: '30 days' }));
  await waitFor(() => expect(screen.queryByText('$14.25')).toBeNull());
  expect(of(sent, 'Ips/IpsNoneRenewByPrice')).toEqual([
    { NodeIds: [1], PeriodDays: 90 },
    { NodeIds: [1], PeriodDays: 30 },
  ]);
});

test('proxies that cannot be renewed are listed, and nothing can be ordered', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/IpsNoneRenewByPrice': {
      Data: preview('0.00', {
        Quote: { ...preview('0.00').Quote, Quantity: 0, Lines: [] },
        Failed: [{ NodeId: 1, Code: 4005 }],
      }),
    },
  });
  open();
  expect(await screen.findByText('None of these can be renewed.')).toBeVisible();
  expect(screen.getByText('Not possible in its current status')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeDisabled();
});
