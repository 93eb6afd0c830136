// The wallet screen.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { useSessionStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { WalletPage } from './WalletPage';

const plan = (PlanId: number, At: string, Amount: string) => ({
  PlanId,
  NextCharge: { At, Amount, Currency: 'USD', IpsCount: 2 },
});
const payment = (State: string) => ({ PaymentId: 'p1', OrderId: 1, State, Amount: '50.00', Currency: 'USD' });

function open(replies: Parameters<typeof answerWith>[0], at = '/billing/wallet') {
  answerWith({
    'Order/GetPaymentMethodList': { Data: [{ PaymentMethod: 'sandbox', Currency: 'USD' }] },
    'User/GetWallet': { Data: walletOf('290.20', { TotalExpenses: '12.00' }) },
    'Wallet/GetMonthlyExpenses': { Data: { Currency: 'USD', Months: [] } },
    'Wallet/GetTransactionList': { Data: { Rows: [], Total: 0 } },
    'Ips/userGetUserVerPlan': { Data: [] },
    ...replies,
  });
  renderScreen(<WalletPage />, at);
}

beforeEach(() => {
  useSessionStore.setState({ wallet: null, planInfo: null });
  useConfigStore.setState({
    shop: {
      ShopName: 'Postern',
      Currency: 'USD',
      DemoShop: true,
      NeedsOperator: false,
      LegalTexts: [],
      HelpCenterUrl: '',
      SupportEmail: '',
      MinTopUp: '5.00',
      MaxTopUp: '10000.00',
      TopUpPresets: [],
    },
  });
});

test.each([
  ['failed', /^The payment was declined/],
  ['pending', /^We are waiting for the payment of \$50\.00/],
  ['expired', /^The payment timed out/],
])('after a payment that is %s it does not suggest buying', async (state, text) => {
  open({ 'Order/GetPayment': { Data: payment(state) } }, '/billing/wallet?PaymentId=p1');
  expect((await screen.findByText(text)).querySelector('a')).toBeNull();
});

test('after a successful top-up it suggests buying', async () => {
  open({ 'Order/GetPayment': { Data: payment('succeeded') } }, '/billing/wallet?PaymentId=p1');
  const told = await screen.findByText(/Your wallet was topped up by \$50\.00\./);
  const link = told.querySelector('a');
  expect(link).toHaveTextContent('Buy proxies');
  expect(link).toHaveAttribute('href', '/static-residential-proxies/order');
});

test('when another amount has arrived than was asked for, it says that one', async () => {
  const arrived = { ...payment('succeeded'), Credited: '12.50' };
  open({ 'Order/GetPayment': { Data: arrived } }, '/billing/wallet?PaymentId=p1');
  expect(await screen.findByText(/Your wallet was topped up by \$12\.50\./)).toBeVisible();
  expect(screen.queryByText(/\$50\.00/)).toBeNull();
});

test.each([
  [false, 'Until it is paid, nothing can be bought or renewed.'],
  [true, 'Until it is paid, your proxies are paused, and nothing can be bought or renewed.'],
])('a customer who owes money is told why and what to do, with proxies paused: %s', async (AreProxiesPaused, text) => {
  open({ 'User/GetWallet': { Data: walletOf('0.00', { Owed: '12.00', AreProxiesPaused }) } });
  const told = await screen.findByRole('alert');
  expect(told).toHaveTextContent('You owe $12.00.');
  expect(told).toHaveTextContent('The payment provider took back money that you had paid');
  expect(told).toHaveTextContent(`Your next top-up pays this first. ${text}`);
});

test.each([
  ['owes nothing', walletOf('20.00')],
  // What the tab has kept of it until the new answer.
  ['has a wallet of an earlier version', { ...walletOf('20.00'), Owed: undefined }],
])('a customer who %s is told nothing of it', async (_, wallet) => {
  open({ 'User/GetWallet': { Data: wallet } });
  expect(await screen.findByText('$20.00')).toBeVisible();
  expect(screen.queryByText(/You owe/)).toBeNull();
});

test('the next renewal is shown beside the balance', async () => {
  open({
    'Ips/userGetUserVerPlan': {
      Data: [plan(1, '2999-01-02 00:00:00', '90.00'), plan(2, '2999-01-01 00:00:00', '27.00')],
    },
  });
  expect(await screen.findByText('$290.20')).toBeVisible();
  expect(await screen.findByText('$27.00')).toBeVisible();
  expect(screen.queryByText('$90.00')).toBeNull();
});

test('it says when no renewal is due', async () => {
  open({});
  expect(await screen.findByText('No automatic renewal is due')).toBeVisible();
});

test('the button beside the balance focuses the amount', async () => {
  open({});
  const amount = await screen.findByLabelText('Amount in USD');
  await userEvent.click(screen.getByRole('button', { name: 'Top up' }));
  expect(amount).toHaveFocus();
});
