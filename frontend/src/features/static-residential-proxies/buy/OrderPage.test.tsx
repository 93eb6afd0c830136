// The order form and the calculator of static proxies.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { emptyBuyParams, useIpsStore } from '@/stores/ips';
import { useSessionStore, useUserStore } from '@/stores/user';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { COMMON_REPLIES, catalogue, DEDICATED, dedicated, node, page, REGULAR } from '../fixtures';
import { OrderPage } from './OrderPage';
import { PricingPage } from './PricingPage';

const free = (NodeId: number, change: object = {}) => ({
  ...node(NodeId),
  Ip: `198.18.${NodeId}.x`,
  Price: '5.00',
  ...change,
});
const replies = (change: object = {}) => ({
  ...COMMON_REPLIES,
  'Ips/GetCountryList': { Data: [] },
  'Ips/UserGetTargetList': { Data: [] },
  'Order/GetUnpaidOrderList': { Data: [] },
  'Order/GetHoldLimit': { Data: { MaxIps: 20, HeldIps: 0, MaxOrders: 3, Currency: 'USD' } },
  'Ips/GetMyPurchasableNodeList': page([
    free(1),
    free(2),
    free(3, { Country: 'DE', City: 'frankfurt', CityNameEn: 'Frankfurt' }),
  ]),
  ...change,
});
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
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

beforeEach(() => {
  onPhone();
  useIpsStore.setState({ buyParams: emptyBuyParams });
  useUserStore.setState({ info: null });
  useSessionStore.setState({ wallet: null });
});

async function pick(...ips: string[]) {
  await userEvent.click(await screen.findByRole('radio', { name: 'Exact IPs' }));
  for (const ip of ips) await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${ip}` }));
}

test('picked IPs make up the lines and the price, and are ordered', async () => {
  const sent = answerWith(replies({ 'Order/CreateOrder': { Data: { OrderId: 5 } } }));
  const { addressNow } = renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x', '198.18.3.x');
  const summary = screen.getByRole('complementary', { name: 'Summary' });
  expect(within(summary).getByText('New York × 2')).toBeVisible();
  expect(within(summary).getByText('Frankfurt × 1')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Remove 198.18.2.x' }));
  expect(within(summary).getByText('$10.00')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=5'));
  expect(of(sent, 'Order/CreateOrder')).toEqual([
    {
      VerStr: REGULAR,
      PeriodDays: 30,
      Lines: [
        { Country: 'US', City: 'new-york', Quantity: 1 },
        { Country: 'DE', City: 'frankfurt', Quantity: 1 },
      ],
      ExpectedTotal: '10.00',
      NodeIds: [1, 3],
    },
  ]);
});

test('a sufficient balance buys at once, and a balance that turns out too low does not', async () => {
  let left = '20.00';
  const sent = answerWith(
    replies({
      'User/GetWallet': () => ({ Data: walletOf(left) }),
      'Order/CreateOrder': () => {
        if (left === '20.00') {
          left = '7.00';
          return { Code: 4001, Message: 'x', Data: { Balance: '7.00', Needed: '10.00' } };
        }
        return { Data: { OrderId: 6 } };
      },
    }),
  );
  await useSessionStore.getState().loadWallet();
  const { addressNow } = renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x');
  await userEvent.click(screen.getByRole('button', { name: 'Buy now with wallet' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Buy now with wallet' })).toBeNull());
  const short = screen.getByText('Your wallet is short by');
  expect(short.nextElementSibling).toHaveTextContent(/^\$\d+\.\d\d$/);
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Remove 198.18.2.x' }));
  await userEvent.click(screen.getByRole('button', { name: 'Buy now with wallet' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=6'));
  expect(of(sent, 'Order/CreateOrder').map((body) => [body.ExpectedTotal, body.PayFromWallet])).toEqual([
    ['10.00', true],
    ['5.00', true],
  ]);
});

test('a balance that is too low offers to top up what is missing', async () => {
  answerWith(replies());
  useSessionStore.setState({ wallet: walletOf('3.50') });
  useConfigStore.setState({ shop: SHOP });
  renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x');
  // 10.00 less 3.50.
  expect(screen.getByRole('link', { name: 'Top up $6.50' })).toHaveAttribute('href', '/billing/wallet?Amount=6.50');
  await userEvent.click(screen.getByRole('button', { name: 'Remove 198.18.2.x' }));
  // 1.50 is less than the minimum.
  expect(screen.getByRole('link', { name: 'Top up $5.00' })).toHaveAttribute('href', '/billing/wallet?Amount=5.00');
});

test('two clicks before the form has re-rendered place one order', async () => {
  const sent = answerWith(replies({ 'Order/CreateOrder': { Data: { OrderId: 7 } } }));
  const { addressNow } = renderScreen(<OrderPage />);
  await pick('198.18.1.x');
  const buttons = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to payment' });
  // Outside of act(), which would render in between.
  useIpsStore.getState().setBuyParams({ periodDays: 90 });
  const button = buttons();
  button.click();
  button.click();
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=7'));
  expect(of(sent, 'Order/CreateOrder')).toHaveLength(1);
  expect(of(sent, 'Order/CreateOrder')[0]).toMatchObject({ PeriodDays: 90 });
});

test('the hold limit is shown below the price, and explains an order that exceeds it', async () => {
  let held = 18;
  const refused = { Rule: 'tooManyHeld', Params: { Max: '20', Held: '19', Missing: '50.00', NextMax: '100' } };
  answerWith(
    replies({
      'Order/GetHoldLimit': () => ({
        Data: { MaxIps: 20, HeldIps: held, MaxOrders: 3, NextMaxIps: 100, Missing: '50.00', Currency: 'USD' },
      }),
      'Order/CreateOrder': () => {
        held = 19;
        return { Code: 2001, Message: 'x', Data: { Fields: { Lines: [refused] } } };
      },
    }),
  );
  renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x');
  const summary = screen.getByRole('complementary', { name: 'Summary' });
  expect(
    await within(summary).findByText(/can hold 20 IPs; they hold 18 now.*With \$50.00 more.*can hold 100 IPs/),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  expect(await within(summary).findByText(/can hold at most 20 IPs, and hold 19 now. With 50.00 more/)).toBeVisible();
  expect(await within(summary).findByText(/they hold 19 now/)).toBeVisible();
});

test('an order that a coupon reduces to zero needs no balance', async () => {
  answerWith(
    replies({
      'User/GetWallet': { Data: walletOf('20.00') },
      'Order/CheckCoupon': { Data: { Code: 'GIFT', Benefit: { Amount: '5.00' }, Minimum: '0.00' } },
    }),
  );
  await useSessionStore.getState().loadWallet();
  renderScreen(<OrderPage />);
  await pick('198.18.1.x');
  expect(screen.getByRole('button', { name: 'Buy now with wallet' })).toBeEnabled();
  await userEvent.type(screen.getByLabelText('Coupon code'), 'gift');
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Buy now with wallet' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeEnabled();
});

test('a coupon that could not be checked shows why, and can be checked again', async () => {
  let reply: object | 'network' = 'network';
  answerWith(replies({ 'Order/CheckCoupon': () => reply }));
  renderScreen(<OrderPage />);
  await userEvent.type(await screen.findByLabelText('Coupon code'), 'gift');
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText('Network error')).toBeVisible();
  expect(screen.getByLabelText('Coupon code')).toHaveValue('gift');
  reply = { Data: { Code: 'GIFT', Benefit: { Amount: '5.00' }, Minimum: '0.00' } };
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(await screen.findByRole('button', { name: 'Remove GIFT' })).toBeVisible();
});

test('picked IPs are kept while the city picker is shown, and are not ordered by city', async () => {
  answerWith(replies());
  renderScreen(<OrderPage />);
  await pick('198.18.1.x');
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeEnabled();
  await userEvent.click(screen.getByRole('radio', { name: 'By city' }));
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeDisabled();
  await userEvent.click(screen.getByRole('radio', { name: 'Exact IPs' }));
  expect(await screen.findByRole('button', { name: 'Remove 198.18.1.x' })).toBeVisible();
});

const ME = {
  UserId: 1,
  Email: 'a@b.co',
  Level: 1,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [] as never[],
} as const;

test('a reseller sees the list price, the discounted price, and the discount in the quote', async () => {
  useUserStore.setState({ info: { ...ME, ResellerBasisPoints: 1_500, Token: 't' } });
  answerWith(replies());
  renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x', '198.18.3.x');
  const summary = within(screen.getByRole('complementary', { name: 'Summary' }));
  expect(summary.getByText('Reseller discount (15%)')).toBeVisible();
  expect(summary.getByText('$12.75')).toBeVisible();
  expect(screen.getByRole('radio', { name: /\$4\.25\s*List price\s*\$5\.00/ })).toBeChecked();
});

test('an order at an outdated price shows the new price, and is sent with it when ordered again', async () => {
  useUserStore.setState({ info: { ...ME, ResellerBasisPoints: 1_500, Token: 't' } });
  const sent = answerWith(
    replies({
      'User/GetUserInfo': { Data: { ...ME, ResellerBasisPoints: 2_000 } },
      'Order/CreateOrder': ({ body }: Sent) =>
        body.ExpectedTotal === '8.00'
          ? { Data: { OrderId: 5 } }
          : { Code: 4004, Message: 'x', Data: { OldPrice: '8.50', NewPrice: '8.00' } },
    }),
  );
  const { addressNow } = renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x');
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  expect(await screen.findByText(/The price has changed from \$8.50 to \$8.00/)).toBeVisible();
  expect(screen.getByText('Reseller discount (20%)')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=5'));
  expect(of(sent, 'Order/CreateOrder').map((body) => body.ExpectedTotal)).toEqual(['8.50', '8.00']);
});

test.each([
  ['', 'Choose at least one IP to see the price.'],
  ['9999999', 'One order cannot have this many IPs'],
  ['9', 'Add 1 more IP to save 2.5%'],
  ['10', 'You have the largest quantity discount'],
])('for “%s” IPs the calculator shows: %s', async (quantity, text) => {
  answerWith(replies());
  renderScreen(<PricingPage />);
  const field = await screen.findByLabelText('Number of IPs');
  await userEvent.clear(field);
  if (quantity) await userEvent.type(field, quantity);
  expect(screen.getByText(text)).toBeVisible();
});

test('the calculator opens the order form with its plan and period', async () => {
  answerWith(replies());
  const { addressNow } = renderScreen(<PricingPage />);
  await userEvent.click(await screen.findByRole('radio', { name: '90 days' }));
  // 10 × 15.00 less 5 % less 2.5 %.
  expect(screen.getByText('$138.94')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Choose cities' }));
  expect(addressNow()).toBe(`/static-residential-proxies/order?plan=${encodeURIComponent(REGULAR)}`);
  expect(useIpsStore.getState().buyParams).toMatchObject({ verStr: REGULAR, periodDays: 90, wanted: 10 });
});

test('an unfinished order is shown with the prices until it is ordered', async () => {
  answerWith(replies({ 'Order/CreateOrder': { Data: { OrderId: 5 } } }));
  const order = renderScreen(<OrderPage />);
  await pick('198.18.1.x', '198.18.2.x');
  order.unmount();
  const prices = renderScreen(<PricingPage />);
  expect(
    await screen.findByText('Not ordered yet: 2 Regular IPs, $5.00 each before discounts, $10.00 to pay.'),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: 'Continue this order' }));
  expect(prices.addressNow()).toBe('/static-residential-proxies/order');
  prices.unmount();
  renderScreen(<OrderPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(useIpsStore.getState().buyInfo).toBeNull());
});

test('the group, automatic renewal and the expiry of the IPs are part of the order', async () => {
  const today = new Date();
  const day = (time: Date) => new Intl.DateTimeFormat('en-CA').format(time);
  const sent = answerWith(
    replies({
      'Ips/userGetUserVerPlan': { Data: [{ VerStr: REGULAR, AutoRenew: true }] },
      'Order/CreateOrder': { Data: { OrderId: 5 } },
    }),
  );
  const { addressNow } = renderScreen(<OrderPage />);
  await pick('198.18.1.x');
  const summary = within(screen.getByRole('complementary', { name: 'Summary' }));
  await summary.findByRole('option', { name: 'Scrapers' });
  await userEvent.selectOptions(summary.getByLabelText('Group'), 'Scrapers');
  const toggle = summary.getByRole('switch', { name: 'Renew automatically' });
  // As the plan until it is changed.
  await waitFor(() => expect(toggle).toBeChecked());
  await userEvent.click(toggle);
  const ends = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 30);
  expect(summary.getByText('Expires').nextElementSibling).toHaveTextContent(day(ends));
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=5'));
  expect(of(sent, 'Order/CreateOrder')[0]).toMatchObject({ GroupId: 3, AutoRenew: false, NodeIds: [1] });
});

const [regular] = catalogue.Tiers;
const unsold = { ...regular, IsSold: false };
const tiers = (...Tiers: object[]) => ({ 'Ips/GetServerVer': { Data: { ...catalogue, Tiers } } });
const ORDER = '/static-residential-proxies/order';

test('only tiers on sale can be chosen, and the first of them is', async () => {
  answerWith(replies(tiers(unsold, dedicated)));
  renderScreen(<OrderPage />, `${ORDER}?plan=${encodeURIComponent(REGULAR)}`);
  expect(await screen.findByRole('radio', { name: /^Dedicated/ })).toBeChecked();
  expect(screen.queryByRole('radio', { name: /^Regular/ })).toBeNull();
  expect(screen.queryByText(/not on sale/)).toBeNull();
});

test('a draft of a tier that is no longer on sale says so at the choice, and keeps its cities for another tier', async () => {
  useIpsStore.setState({
    buyParams: {
      ...emptyBuyParams,
      verStr: REGULAR,
      periodDays: 30,
      quantities: { 'new-york': { country: 'US', quantity: 2 } },
    },
  });
  const sent = answerWith(replies({ ...tiers(unsold, dedicated), 'Order/CreateOrder': { Data: { OrderId: 5 } } }));
  const { addressNow } = renderScreen(<OrderPage />, `${ORDER}?plan=${encodeURIComponent(REGULAR)}`);
  expect(await screen.findByText('This plan is not on sale at the moment: choose another one')).toBeVisible();
  const other = screen.getByRole('radio', { name: /^Dedicated/ });
  expect(other).not.toBeChecked();
  expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeDisabled();
  await userEvent.click(other);
  expect(screen.queryByText(/not on sale/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(addressNow()).toBe('/order?OrderId=5'));
  expect(of(sent, 'Order/CreateOrder')[0]).toMatchObject({ VerStr: DEDICATED, ExpectedTotal: '28.00' });
});

const SHOPS = { Target: 'shops', NameEn: 'Shops', NameZh: '电商', Category: '' };

test('IPs are chosen by use case, if the shop has any', async () => {
  const sent = answerWith(replies({ 'Ips/UserGetTargetList': { Data: [SHOPS] } }));
  renderScreen(<OrderPage />);
  await userEvent.selectOptions(await screen.findByLabelText('Use case'), 'Shops');
  await waitFor(() => expect(of(sent, 'Ips/GetCountryList').at(-1)).toMatchObject({ Target: 'shops' }));
});

test('without use cases there is no choice of one, and a draft with a deleted one no longer asks for it', async () => {
  useIpsStore.setState({ buyParams: { ...emptyBuyParams, verStr: REGULAR, periodDays: 30, target: 'gone' } });
  const sent = answerWith(replies());
  renderScreen(<OrderPage />);
  await waitFor(() => expect(of(sent, 'Ips/GetCountryList').at(-1)).toEqual({ VerStr: REGULAR }));
  expect(screen.queryByLabelText('Use case')).toBeNull();
  expect(useIpsStore.getState().buyParams.target).toBe('');
});

test('a tier that is paused while its order is filled in stays the tier of the order, which is refused', async () => {
  let isSold = true;
  const Fields = { VerStr: [{ Rule: 'tierNotSold', Params: {} }] };
  const sent = answerWith(
    replies({
      'Ips/GetServerVer': () => ({ Data: { ...catalogue, Tiers: [isSold ? regular : unsold, dedicated] } }),
      'Order/CreateOrder': () => {
        isSold = false;
        return { Code: 2001, Message: 'x', Data: { Fields } };
      },
    }),
  );
  renderScreen(<OrderPage />);
  await pick('198.18.1.x');
  await userEvent.click(screen.getByRole('button', { name: 'Continue to payment' }));
  expect(await screen.findByText(/This plan is not on sale/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('radio', { name: /^Regular/ })).toBeNull());
  // It does not become an order of another tier by itself.
  expect(screen.getByRole('radio', { name: /^Dedicated/ })).not.toBeChecked();
  expect(screen.getAllByText(/not on sale/)).toHaveLength(1);
  expect(of(sent, 'Order/CreateOrder')).toHaveLength(1);
});

test('while no tier is on sale, the order form says so', async () => {
  answerWith(replies(tiers(unsold)));
  renderScreen(<OrderPage />);
  expect(await screen.findByText('Nothing is on sale at the moment')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Contact support' })).toBeVisible();
  expect(screen.queryByRole('complementary', { name: 'Summary' })).toBeNull();
});
