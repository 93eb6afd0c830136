// The screens that are built: by name and address, or on a tour. What the pictures and the accessibility check go through.
import type { Page } from 'playwright-core';
import { type Language, type Shop, signIn, texts } from './shop';

/** For everybody. */
export const OPEN_SCREENS = {
  login: '/login',
  'sign-up': '/sign-up',
  'password-reset': '/password-reset',
  'not-found': '/nowhere',
};

/** For a signed-in customer of the demo shop. */
export const SCREENS = {
  pricing: '/static-residential-proxies/pricing',
  order: '/static-residential-proxies/order',
  'proxy-list': '/static-residential-proxies/proxy-list',
  'group-list': '/static-residential-proxies/group-list',
  replaced: '/static-residential-proxies/replaced',
  'proxy-setup': '/static-residential-proxies/proxy-setup',
  'proxy-users': '/residential-proxies/users',
  'endpoint-generator': '/residential-proxies/endpoint-generator',
  'traffic-pricing': '/residential-proxies/pricing',
  'traffic-order': '/residential-proxies/order',
  usage: '/residential-proxies/users?view=usage',
  orders: '/order',
  'order-one': '/order?OrderId=1',
  wallet: '/billing/wallet',
  transactions: '/billing/transactions',
  products: '/billing/products',
  'not-built': '/welcome/products',
};

/** Settings of a shop that has all of these screens. */
export const EVERYTHING = { POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234 5678 9012' };

/** Looks at what is on the screen now, by this name. */
type Show = (name: string) => Promise<void>;

/** Somebody in front of the shop who is shown around in one language. */
export interface Tour {
  page: Page;
  shop: Shop;
  language: Language;
  show: Show;
}

const opener = ({ page, shop, language }: Tour) => {
  return (path: string) => page.goto(`${shop.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
};

/** Where a customer says who is to be invoiced, and pays without a gateway. A customer is signed in. */
export async function billingTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const t = texts(language, 'billing');
  const common = texts(language, 'common');
  await opener(tour)(SCREENS.transactions);
  await page.getByRole('button', { name: t('transactions.details') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('details.taxNumber')).fill('#1');
  await dialog.getByRole('button', { name: common('save') }).click();
  await dialog.getByRole('alert').first().waitFor();
  await show('billing-details');
  await page.keyboard.press('Escape');
  await opener(tour)(SCREENS.wallet);
  await page.getByLabel(t('topUp.amount', { Currency: 'USD' }), { exact: true }).fill('100');
  await page.getByLabel(t('topUp.method')).selectOption('transfer');
  await page.getByRole('button', { name: t('topUp.submit') }).click();
  await page.getByRole('heading', { name: texts(language, 'pay')('transfer.title') }).waitFor();
  await show('transfer-page');
}

/** Prices as a reseller sees them. The demo's reseller is signed in. */
export async function resellerTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  await opener(tour)(SCREENS.pricing);
  await page.getByRole('main').locator('s').first().waitFor();
  await show('pricing-reseller');
  await opener(tour)(SCREENS.order);
  const more = page.getByRole('button', { name: new RegExp(`^${texts(language, 'common')('more')}:`) });
  await more.first().click();
  await show('order-reseller');
}

/** Everything that only operators see. One is signed in. */
export async function operatorTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const open = opener(tour);
  const orders = texts(language, 'orders');
  const accounts = texts(language, 'accounts');
  const common = texts(language, 'common');
  const dialog = page.getByRole('dialog');
  const leaves = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };

  await open('/order?All=1');
  await page.getByRole('searchbox', { name: orders('operator.search') }).fill('customer@example.com');
  const fulfilled = page.getByText(orders('state.fulfilled')).filter({ visible: true });
  await fulfilled.last().waitFor();
  await show('account-orders');
  await page.getByRole('combobox', { name: orders('stateTitle') }).selectOption('fulfilled');
  // Those that the demo's customer has from the start.
  await page.getByText(common('range', { From: 1, To: 16, Total: 16 })).waitFor();
  await page
    .getByRole('link', { name: /^PO\w{10}$/ })
    .first()
    .click();
  const refund = page.getByRole('button', { name: orders('refund.open'), exact: true });
  await refund.waitFor();
  await show('account-order');
  await refund.click();
  await dialog.getByRole('checkbox').first().waitFor();
  await show('refund-unused');
  await dialog.getByRole('radio', { name: orders('refund.amount') }).check();
  await dialog.getByLabel(orders('refund.amountIn', { Currency: 'USD' })).fill('5');
  await dialog.getByRole('button', { name: orders('refund.confirm', { Amount: '$5.00' }) }).click();
  await dialog.getByRole('alert').first().waitFor();
  await show('refund-amount');
  await leaves();

  await page.getByRole('button', { name: common('account'), exact: true }).click();
  await page.getByRole('menuitem', { name: common('operator.accounts') }).waitFor();
  await show('operator-menu');
  await page.getByRole('menuitem', { name: common('operator.accounts') }).click();
  const reseller = page.getByRole('link', { name: 'reseller@example.com' });
  await reseller.waitFor();
  await show('accounts');
  await reseller.click();
  await dialog.getByLabel(accounts('terms.percent')).waitFor();
  await show('account-terms');
  await dialog.getByLabel(accounts('terms.percent')).fill('95');
  await dialog.getByRole('button', { name: common('save') }).click();
  await dialog.getByRole('alert').waitFor();
  await show('account-terms-refused');
  await leaves();
  await page.getByRole('link', { name: 'operator@example.com' }).click();
  await dialog.getByText(accounts('terms.staff', { Email: 'operator@example.com' })).waitFor();
  await show('account-staff');
  await leaves();

  // Nothing is wrong with the shop: what an alarm looks like is shown by one that the server did not raise.
  const alarm = {
    Alarm: 'books',
    Problems: ['wallet 1: balance 12.00, entries 10.00', 'order PO23456789AB: refunds 5.00, credit notes 0.00'],
    RaisedAt: '2026-11-20 02:00:00',
    CheckedAt: '2026-11-21 02:00:00',
  };
  const call = '**/api/Operator/GetAlarmList';
  await page.route(call, (route) => route.fulfill({ json: { Code: 1000, Message: '', Data: [alarm] } }));
  await open('/order');
  await page.getByText(common('alarm.books')).waitFor();
  await show('alarms');
  await page.unroute(call);
}

/** Leaves the session behind and comes back as somebody else of the demo. */
export async function comesAs({ page, shop, language }: Tour, email: string): Promise<void> {
  // A page without the app, which would keep what it knows of the user.
  await page.goto(`${shop.url}/demo/mail`);
  await page.evaluate(() => localStorage.removeItem('user'));
  await signIn(page, shop, language, email);
}
