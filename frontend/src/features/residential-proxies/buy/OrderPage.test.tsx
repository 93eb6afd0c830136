// Ordering traffic: amount controls, field errors, price changes and coupons.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { useSessionStore, useUserStore } from '@/stores/user';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { commonReplies } from '../fixtures';
import { OrderPage } from './OrderPage';
import { PricingPage } from './PricingPage';

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
const ordered = (sent: Sent[]) => sent.filter((one) => one.call === 'Traffic/CreateTrafficOrder');
const summary = () => screen.getByRole('complementary', { name: 'Summary' });
const amount = () => screen.findByLabelText('Gigabytes');

const FIFTY = '/residential-proxies/order?gigabytes=50';

beforeEach(() => {
  onPhone();
  useConfigStore.setState({ shop: SHOP });
});

async function has(WalletBalance: string) {
  useSessionStore.setState({ wallet: walletOf(WalletBalance) });
}

async function types(text: string) {
  const field = await amount();
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
}

test.each([
  ['', 'This is required'],
  ['0', 'At least 1 GB'],
  ['1.5', 'Enter a whole number from 1 to 100,000'],
  ['-5', 'Enter a whole number from 1 to 100,000'],
  ['100001', 'At most 100,000 GB'],
  ['99999999999', 'At most 100,000 GB'],
])('“%s” gigabytes cannot be ordered: %s', async (typed, text) => {
  answerWith(commonReplies());
  renderScreen(<OrderPage />);
  await types(typed);
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeDisabled();
  expect(within(summary()).getByText('Enter an amount to see the price.')).toBeVisible();
});

test('a reload keeps the amount, the validity and the coupon', async () => {
  answerWith(commonReplies());
  sessionStorage.setItem(
    'draftTrafficCoupon',
    JSON.stringify({ Code: 'TEN', Benefit: { Percent: 1_000 }, Minimum: '0.00', Products: [] }),
  );
  const first = renderScreen(<OrderPage />);
  await types('70');
  const validity = within(screen.getByRole('group', { name: 'Validity' }));
  await userEvent.click(validity.getByRole('radio', { checked: false }));
  const address = first.addressNow();
  first.unmount();
  renderScreen(<OrderPage />, address);
  expect(await amount()).toHaveValue('70');
  expect(address).toMatch(/gigabytes=70&period=\d+$/);
  expect(await screen.findByText(/TEN/)).toBeVisible();
  useUserStore.getState().signOut();
  expect(sessionStorage.getItem('draftTrafficCoupon')).toBeNull();
});

test('preset, slider and exact amount stay in sync', async () => {
  answerWith(commonReplies());
  renderScreen(<OrderPage />);
  const field = await amount();
  const slider = screen.getByRole('slider', { name: 'Amount of traffic' });
  const preset = (name: RegExp) => screen.getByRole('radio', { name });
  // Nothing expensive is preselected.
  expect(preset(/^1 GB/)).toBeChecked();
  await userEvent.click(preset(/^100 GB/));
  expect(field).toHaveValue('100');
  expect(slider).toHaveAttribute('aria-valuetext', '100 GB');
  const position = Number((slider as HTMLInputElement).value);
  fireEvent.change(slider, { target: { value: String(position + 1) } });
  expect(field).toHaveValue('110');
  expect(preset(/^100 GB/)).not.toBeChecked();
  await types('117');
  // The slider stays at the stop below, with the exact amount as its value text.
  expect((slider as HTMLInputElement).value).toBe(String(position + 1));
  expect(slider).toHaveAttribute('aria-valuetext', '117 GB');
  expect(within(summary()).getByText('Total for 117 GB').nextElementSibling).toHaveTextContent('$304.20');
});

test('the next price step shows the difference in price, and one click applies it', async () => {
  answerWith(commonReplies());
  renderScreen(<OrderPage />, FIFTY);
  await amount();
  expect(screen.getByText('From 100 GB, each GB costs $2.60: 50 GB more for $110.00.')).toBeVisible();
  await types('99');
  expect(screen.getByText('From 100 GB, each GB costs $2.60: 1 GB more, and $37.00 less to pay.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Change to 100 GB' }));
  expect(await amount()).toHaveValue('100');
  await types('1000');
  expect(screen.queryByText(/more for/)).toBeNull();
});

test('buying from the wallet completes at once and shows the order', async () => {
  await has('200.00');
  const sent = answerWith({ ...commonReplies(), 'Traffic/CreateTrafficOrder': { Data: { OrderId: 7 } } });
  const { addressNow } = renderScreen(<OrderPage />, '/residential-proxies/order?gigabytes=50&period=0');
  expect(await screen.findByRole('radio', { name: /^Never expires/ })).toBeChecked();
  expect(within(summary()).getByText('Wallet balance after').nextElementSibling).toHaveTextContent('$10.00');
  await userEvent.click(screen.getByRole('button', { name: 'Buy now with wallet' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=7'));
  expect(ordered(sent).map((one) => one.body)).toEqual([
    { Gigabytes: 50, PeriodDays: 0, ExpectedTotal: '190.00', PayFromWallet: true },
  ]);
  expect(ordered(sent)[0]?.headers['Idempotency-Key']).toBeTruthy();
});

test('an insufficient balance offers a top-up of the missing amount', async () => {
  await has('147.00');
  answerWith(commonReplies());
  renderScreen(<OrderPage />, FIFTY);
  expect(await screen.findByText('Your wallet is short by')).toBeVisible();
  // Three dollars are missing, but the minimum top-up is five.
  expect(screen.getByRole('link', { name: 'Top up $5.00' })).toHaveAttribute('href', '/billing/wallet?Amount=5.00');
  expect(screen.queryByRole('button', { name: 'Buy now with wallet' })).toBeNull();
});

test('a changed price is shown, and accepted by ordering again', async () => {
  let price = '3.00';
  const replies = {
    ...commonReplies(),
    'Traffic/GetTrafficCatalogue': () => ({
      Data: { Currency: 'USD', Offers: [{ PeriodDays: 30, Steps: [{ MinGigabytes: 1, Price: price }] }] },
    }),
    'User/GetUserInfo': { Data: {} },
    'Traffic/CreateTrafficOrder': () => {
      if (price === '3.00') {
        price = '3.20';
        return { Code: 4004, Message: 'x', Data: { OldPrice: '150.00', NewPrice: '160.00' } };
      }
      return { Data: { OrderId: 8 } };
    },
  };
  const sent = answerWith(replies);
  const { addressNow } = renderScreen(<OrderPage />, FIFTY);
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to payment' }));
  expect(await screen.findByText(/The price has changed from \$150.00 to \$160.00/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=8'));
  expect(ordered(sent).map((one) => one.body.ExpectedTotal)).toEqual(['150.00', '160.00']);
  const keys = ordered(sent).map((one) => one.headers['Idempotency-Key']);
  expect(new Set(keys).size).toBe(2);
});

test('retrying after a lost response sends the same idempotency key', async () => {
  let isLost = true;
  const sent = answerWith({
    ...commonReplies(),
    'Traffic/CreateTrafficOrder': () => {
      if (!isLost) return { Data: { OrderId: 9 } };
      isLost = false;
      return 'network';
    },
  });
  const { addressNow } = renderScreen(<OrderPage />);
  const button = await screen.findByRole('button', { name: 'Continue to payment' });
  await userEvent.click(button);
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=9'));
  expect(new Set(ordered(sent).map((one) => one.headers['Idempotency-Key'])).size).toBe(1);
});

test('a coupon lowers the total, and a coupon for other products shows why it does not apply', async () => {
  let products = ['rotating residential proxies plan'];
  const sent = answerWith({
    ...commonReplies(),
    'Order/CheckCoupon': () => ({
      Data: { Code: 'TENTH', Benefit: { Percent: 1000 }, Minimum: '0.00', Products: products },
    }),
    'Traffic/CreateTrafficOrder': { Data: { OrderId: 5 } },
  });
  renderScreen(<OrderPage />, FIFTY);
  await userEvent.type(await screen.findByLabelText('Coupon code'), 'tenth');
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(await within(summary()).findByText('$135.00')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Remove TENTH' }));
  products = ['shared ISP proxies plan'];
  await userEvent.type(await screen.findByLabelText('Coupon code'), 'tenth');
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText('This coupon is for other products')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  // A coupon that does not lower the order is not sent with it.
  await waitFor(() =>
    expect(ordered(sent)[0]?.body).toEqual({ Gigabytes: 50, PeriodDays: 30, ExpectedTotal: '150.00' }),
  );
});

test('every price of the shop is in the tables and links to the order form', async () => {
  answerWith(commonReplies());
  renderScreen(<PricingPage />);
  const table = await screen.findByRole('table', { name: '30 days' });
  expect(within(table).getAllByRole('row')).toHaveLength(7);
  expect(within(table).getAllByRole('row')[4]).toHaveTextContent(/^100\+ GB\$2.6035%\$260.00/);
  expect(within(table).getByRole('link', { name: 'Order 100 GB' })).toHaveAttribute(
    'href',
    '/residential-proxies/order?gigabytes=100&period=30',
  );
  expect(screen.getByText(/1,000,000,000 bytes/)).toBeVisible();
});

test('the calculator passes its amount to the order form', async () => {
  answerWith(commonReplies());
  renderScreen(<PricingPage />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Never expires' }));
  await types('120');
  expect(screen.getByRole('link', { name: 'Order this amount' })).toHaveAttribute(
    'href',
    '/residential-proxies/order?gigabytes=120&period=0',
  );
});

test('a reseller sees discounted prices, and list prices struck through', async () => {
  useUserStore.setState({ info: { ResellerBasisPoints: 2_000, Token: 't' } as never });
  answerWith(commonReplies());
  renderScreen(<PricingPage />);
  const table = await screen.findByRole('table', { name: '30 days' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent(/^1\+ GB\$3.20 List price \$4.00/);
  expect(screen.getByText(/reseller discount of 20%/)).toBeVisible();
});

const NOTHING = { 'Traffic/GetTrafficCatalogue': { Data: { Currency: 'USD', Offers: [] } } };

test('without traffic on sale, the order form says so, and what was bought is still listed', async () => {
  answerWith({ ...commonReplies(), ...NOTHING });
  renderScreen(<OrderPage />, FIFTY);
  expect(await screen.findByText('Traffic is not on sale right now')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Contact support' })).toBeVisible();
  expect(screen.queryByRole('complementary', { name: 'Summary' })).toBeNull();
  expect(await screen.findByRole('link', { name: 'PO1' })).toBeVisible();
});

test('without traffic on sale, the prices say so', async () => {
  answerWith({ ...commonReplies(), ...NOTHING });
  renderScreen(<PricingPage />);
  expect(await screen.findByText('Traffic is not on sale right now')).toBeVisible();
  expect(screen.queryByText('Calculate your price')).toBeNull();
});
