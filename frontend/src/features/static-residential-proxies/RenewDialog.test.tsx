// Renewing: the price that is shown is the price that is agreed to.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { useSessionStore } from '@/stores/user';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { chosenNode } from './chosen';
import { AROUND, node, REGULAR } from './fixtures';
import { RenewDialog } from './RenewDialog';

vi.mock('@/ui/toast', () => ({ toastError: vi.fn(), showToast: vi.fn(), briefToast: vi.fn() }));

const quote = (change: object = {}) => ({
  PeriodDays: 30,
  Quantity: 1,
  Lines: [{ VerStr: REGULAR, Quantity: 1, UnitPrice: '5.00', Subtotal: '5.00', Discounts: [], Total: '5.00' }],
  Total: '5.00',
  Currency: 'USD',
  EarliestExpiresAt: '2026-12-31 00:00:00',
  LatestExpiresAt: '2026-12-31 00:00:00',
  Skipped: [],
  ...change,
});

beforeEach(() => {
  onPhone();
  useSessionStore.setState({ wallet: { WalletBalance: '20.00', TotalExpenses: '0.00', Currency: 'USD' } });
});

const open = (usual = 30) =>
  renderScreen(<RenewDialog chosen={chosenNode(node(1, { PeriodDays: usual }))} onClose={() => {}} />);
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

test('a price that changed meanwhile is not ordered but shown', async () => {
  let total = '5.00';
  const sent = answerWith({
    ...AROUND,
    'Ips/IpsNoneRenewByPrice': () => ({ Data: quote({ Total: total }) }),
    'Ips/IpsNoneRenew': ({ body }) => {
      total = '6.00';
      return body.ExpectedTotal === '5.00'
        ? { Code: 4004, Message: 'x', Data: { OldPrice: '5.00', NewPrice: '6.00' } }
        : { Data: { OrderId: 9 } };
    },
    'Order/GetUnpaidOrderList': { Data: [] },
  });
  const { addressNow } = open();
  const submit = screen.getByRole('button', { name: 'Order renewal' });
  await waitFor(() => expect(submit).toBeEnabled());
  await userEvent.click(submit);
  expect(await screen.findByText(/The price has just changed/)).toBeVisible();
  expect(await screen.findByText('$6.00')).toBeVisible();
  await userEvent.click(submit);
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=9'));
  expect(of(sent, 'Ips/IpsNoneRenew').map((body) => body.ExpectedTotal)).toEqual(['5.00', '6.00']);
});

test('the period that a proxy has is proposed, and another one is quoted', async () => {
  const sent = answerWith({
    ...AROUND,
    'Ips/IpsNoneRenewByPrice': ({ body }) => ({ Data: quote({ Total: body.PeriodDays === 90 ? '14.25' : '5.00' }) }),
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

test('what cannot be renewed is named, and nothing can be ordered', async () => {
  answerWith({
    ...AROUND,
    'Ips/IpsNoneRenewByPrice': {
      Data: quote({
        Quantity: 0,
        Lines: [],
        Total: '0.00',
        Skipped: [{ NodeId: 1, Ip: '198.18.0.1', Code: 4005, Message: 'It renews itself' }],
      }),
    },
  });
  open();
  expect(await screen.findByText('None of these can be renewed.')).toBeVisible();
  expect(screen.getByText('It renews itself')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Order renewal' })).toBeDisabled();
});
