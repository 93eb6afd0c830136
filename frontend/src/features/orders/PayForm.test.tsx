// Paying an order: missing balance and top-up, and what is charged in another currency.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { useSessionStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { PayForm } from './PayForm';

const SHOP = {
  ShopName: 'Postern',
  Currency: 'USD' as const,
  DemoShop: true,
  NeedsOperator: false,
  LegalTexts: [],
  HelpCenterUrl: '',
  SupportEmail: '',
  MinTopUp: '5.00',
  MaxTopUp: '10000.00',
  TopUpPresets: [],
};
const METHODS = {
  'Order/GetPaymentMethodList': {
    Data: [
      { PaymentMethod: 'wallet', Currency: 'USD' },
      { PaymentMethod: 'sandbox', Currency: 'USD' },
      { PaymentMethod: 'epay', Currency: 'USD', ChargedCurrency: 'CNY', Rate: '7.125' },
    ],
  },
};
type Order = Parameters<typeof PayForm>[0]['order'];

function pay(Total: string, WalletBalance: string) {
  answerWith(METHODS);
  useConfigStore.setState({ shop: SHOP });
  useSessionStore.setState({ wallet: walletOf(WalletBalance) });
  renderScreen(<PayForm order={{ OrderId: 5, Kind: 'purchase', Total, Currency: 'USD' } as Order} onPaid={() => {}} />);
}

test.each([
  // The minimum top-up is higher.
  ['15.00', '14.00', 'Your wallet is short by $1.00', '5.00'],
  ['15.00', '2.50', 'Your wallet is short by $12.50', '12.50'],
])('an order of %s with %s in the wallet shows the missing amount, and links to an allowed top-up', async (...row) => {
  const [total, balance, text, topUp] = row;
  pay(total, balance);
  const link = await screen.findByRole('link', { name: 'Top up' });
  expect(link).toHaveAttribute('href', `/billing/wallet?Amount=${topUp}`);
  expect(link.parentElement).toHaveTextContent(text);
  expect(screen.getByRole('radio', { name: /^Sandbox/ })).toBeChecked();
});

test('a wallet with exactly enough shows nothing missing', async () => {
  pay('15.00', '15.00');
  expect(await screen.findByRole('radio', { name: /^Wallet/ })).toBeChecked();
  expect(screen.queryByRole('link', { name: 'Top up' })).toBeNull();
});

test('a refusal is shown above the button', async () => {
  pay('15.00', '15.00');
  const Message = 'You owe $12.00';
  answerWith({ ...METHODS, 'Order/PayOrder': { Code: 3333, Message, Data: { Key: 'walletOwes', Owed: '$12.00' } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Pay $15.00' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(Message);
});

test('what is charged in another currency is shown, of the part that the wallet does not pay', async () => {
  pay('10.00', '2.51');
  const epay = await screen.findByRole('radio', { name: /^Alipay or WeChat Pay/ });
  expect(epay).toHaveAccessibleName(/¥71\.25, at 7\.125, rounded up to a cent/);
  expect(screen.getByRole('radio', { name: /^Sandbox/ })).toHaveAccessibleName('Sandbox gateway');
  await userEvent.click(epay);
  await userEvent.click(screen.getByRole('switch', { name: 'Pay $2.51 from the wallet' }));
  // 7.49 × 7.125 = 53.36625.
  expect(epay).toHaveAccessibleName(/¥53\.37, at 7\.125/);
  expect(screen.getByRole('button', { name: 'Pay $7.49' })).toBeEnabled();
});
