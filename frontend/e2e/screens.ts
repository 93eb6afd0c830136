// Screens by name and address, and tours through dialogs, used by the screenshots and the accessibility checks.
import type { Page, Route } from 'playwright-core';
import type { Schemas } from '../src/api/client';
import { NEW_YORK } from './customer';
import { signIn } from './prepare';
import { texts } from './shop';
import { leavesDialog, opener, type Tour } from './tour';

/** For visitors. */
export const OPEN_SCREENS = {
  login: '/login',
  'sign-up': '/sign-up',
  'password-reset': '/password-reset',
  'email-change': '/email-change',
  'not-found': '/nowhere',
  unsubscribe: '/unsubscribe?token=none',
  terms: '/terms',
  privacy: '/privacy',
};

/** Orders of the demo customer: purchases of proxies and traffic, renewals and top-ups. */
const FULFILLED_ORDERS = 8 + 14 + 3 + 4;

/** For a signed-in customer of the demo shop. */
export const SCREENS = {
  welcome: '/welcome/products',
  'welcome-proxies': '/welcome/proxies',
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
  'static-usage': '/static-residential-proxies/proxy-list?view=usage',
  orders: '/order',
  'order-one': '/order?OrderId=1',
  wallet: '/billing/wallet',
  transactions: '/billing/transactions',
  products: '/billing/products',
  webhooks: '/my-account/webhooks',
  details: '/my-account/details',
  password: '/my-account/password',
  'api-keys': '/my-account/api-keys',
  referrals: '/referrals',
  'referred-accounts': '/referrals?List=referred',
  status: '/status',
};

/** Settings of a shop that has all of these screens. Its EPay gateway is not offered, because it has no exchange rate. */
export const EVERYTHING = {
  POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234 5678 9012',
  POSTERN_EPAY_URL: 'https://epay.example',
  POSTERN_EPAY_MERCHANT: '1001',
  POSTERN_EPAY_KEY: 'key-of-the-journeys',
};

/** Billing details and bank transfer. A customer is signed in. */
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

/** Deliveries of a webhook, and its forms. The demo customer is signed in. */
export async function webhooksTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const t = texts(language, 'webhooks');
  const dialog = page.getByRole('dialog');
  await opener(tour)(SCREENS.webhooks);
  const delivery = page
    .getByRole('link', { name: new RegExp(`${t('event.order.refunded')}.*`) })
    .filter({ visible: true });
  await delivery.first().click();
  await dialog.getByText('503').first().waitFor();
  await show('webhook-delivery');
  await leavesDialog(tour);
  await page.getByRole('button', { name: t('add'), exact: true }).click();
  await dialog.getByRole('radio', { name: t('form.chosen') }).check();
  await dialog.getByRole('button', { name: t('form.add'), exact: true }).click();
  await dialog.getByRole('alert').first().waitFor();
  await show('webhook-form');
  await leavesDialog(tour);
  await page.getByRole('button', { name: t('actionsOf', { Url: 'https://hooks.example.com/postern' }) }).click();
  await page.getByRole('menuitem', { name: t('action.rotate') }).click();
  await dialog.getByRole('button', { name: t('rotate.confirm') }).click();
  await dialog.locator('pre').waitFor();
  await show('webhook-secret');
  await leavesDialog(tour);
}

/** Account dialogs, and a suspended account. The demo reseller is signed in. */
export async function accountTour(tour: Tour): Promise<void> {
  const { page, shop, language, show } = tour;
  const t = texts(language, 'account');
  const common = texts(language, 'common');
  const open = opener(tour);
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const leaves = () => leavesDialog(tour);

  await open(SCREENS.details);
  await page.getByLabel(t('avatar.input')).setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('#!/bin/sh'),
  });
  await page.getByRole('alert').waitFor();
  await show('details-refused');
  for (const [name, opening, submit] of [
    ['change-email', 'email.change', 'email.submit'],
    ['close-account', 'close.open', undefined],
  ] as const) {
    await page.getByRole('button', { name: t(opening), exact: true }).click();
    await dialog.waitFor();
    if (submit) await press(t(submit));
    await show(name);
    await leaves();
  }

  await open(SCREENS.password);
  await page.getByRole('button', { name: t('twoFactor.turnOn'), exact: true }).click();
  await dialog.getByLabel(t('password.current'), { exact: true }).fill(shop.passwordOf('reseller@example.com'));
  await press(t('twoFactor.continue'));
  await dialog.getByRole('img', { name: t('twoFactor.qr') }).waitFor();
  await show('two-factor-setup');
  await leaves();

  await open(SCREENS['api-keys']);
  const add = page.getByRole('button', { name: t('keys.add'), exact: true }).first();
  await add.click();
  await press(t('keys.submit'));
  await dialog.getByRole('alert').first().waitFor();
  await show('api-key-add');
  await dialog.getByLabel(t('keys.name'), { exact: true }).fill('Deploy');
  await press(t('keys.readAll'));
  await press(t('keys.submit'));
  await dialog.getByText(t('keys.once')).waitFor();
  await show('api-key-secret');
  await press(common('done'));

  shop.runs('account', 'suspend', 'reseller@example.com', '--reason', 'looked at');
  await open(SCREENS.password);
  await page.getByRole('heading', { name: common('suspended.title') }).waitFor();
  await show('suspended');
  await open(SCREENS.details);
  await page.getByRole('button', { name: t('export.submit'), exact: true }).waitFor();
  await show('suspended-details');
  await open(SCREENS.wallet);
  await show('suspended-wallet');
  shop.runs('account', 'resume', 'reseller@example.com');
}

/** Disables the support stream, because a page with a stream never becomes idle; it polls instead. */
const withoutStream = (route: Route) => route.fulfill({ json: { Code: 4290, Message: '', Data: {} } });

/** Support conversations. An operator is signed in. */
export async function conversationsTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const t = texts(language, 'support');
  await page.route('**/api/Operator/WaitForConversations', withoutStream);
  await opener(tour)('/operator/support');
  await page.getByRole('link', { name: 'reseller@example.com' }).waitFor();
  await show('conversations');
  await opener(tour)('/operator/support?Show=all');
  await page.getByRole('link', { name: 'customer@example.com' }).click();
  await page.getByRole('button', { name: t('saveFile', { Name: 'connect.log' }) }).waitFor();
  await show('conversation');
  await page.getByRole('button', { name: t('canned.title') }).click();
  await page.getByRole('menuitem', { name: t('canned.manage') }).waitFor();
  await show('canned-menu');
  await page.getByRole('menuitem', { name: t('canned.manage') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('canned.add') }).waitFor();
  await show('canned-answers');
  await dialog.getByRole('button', { name: t('canned.add') }).click();
  await dialog.getByRole('button', { name: texts(language, 'common')('save') }).click();
  await dialog.getByRole('alert').first().waitFor();
  await show('canned-answer');
  await page.keyboard.press('Escape');
  const askToDelete = t('canned.delete', { Title: '' }).trim();
  await dialog.getByRole('button', { name: askToDelete }).first().click();
  await show('canned-answer-delete');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.unroute('**/api/Operator/WaitForConversations');
}

/** The support chat. The demo customer is signed in. */
export async function chatTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const t = texts(language, 'support');
  await page.route('**/api/Support/WaitForMessages', withoutStream);
  await opener(tour)(SCREENS.wallet);
  // On a phone the sidebar is a drawer.
  if ((page.viewportSize()?.width ?? 0) <= 768)
    await page.getByRole('button', { name: texts(language, 'common')('openMenu') }).click();
  await page.getByRole('button', { name: texts(language, 'nav')('contact-support') }).click();
  const chat = page.getByRole('dialog', { name: t('title') });
  await chat.getByRole('button', { name: t('saveFile', { Name: 'connect.log' }) }).waitFor();
  await show('chat');
  const buffer = Buffer.from('<b>');
  await chat.locator('input[type="file"]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await chat.getByRole('alert').waitFor();
  await chat.getByRole('textbox', { name: t('message') }).fill('407\n407\n407');
  await show('chat-file');
  await chat.getByRole('button', { name: t('minimise') }).click();
  await show('chat-minimised');
  await page.getByRole('button', { name: t('open'), exact: true }).click();
  await chat.getByRole('button', { name: t('close') }).click();
  await page.unroute('**/api/Support/WaitForMessages');
}

/** Notifications, their settings, and moving commissions. A customer is signed in. */
export async function notificationsTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const common = texts(language, 'common');
  const t = texts(language, 'notifications');
  const r = texts(language, 'referrals');
  await opener(tour)(SCREENS.referrals);
  await page.getByRole('button', { name: r('move.open') }).click();
  await page.getByRole('dialog', { name: r('move.title') }).waitFor();
  await show('move-to-wallet');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: new RegExp(`^${common('notifications.open')}`) }).click();
  const panel = page.getByRole('dialog', { name: common('notifications.open') });
  await panel.getByRole('listitem').first().waitFor();
  await show('notifications');
  await panel.getByRole('button', { name: t('settings') }).click();
  await page
    .getByRole('dialog', { name: t('choices.title') })
    .getByRole('switch')
    .first()
    .waitFor();
  await show('notification-choices');
  await page.keyboard.press('Escape');
}

/** The search: empty, with results, without results. A customer is signed in. */
export async function searchTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const t = texts(language, 'search');
  await opener(tour)(SCREENS.wallet);
  await page.getByRole('button', { name: texts(language, 'nav')('search') }).click();
  const dialog = page.getByRole('dialog', { name: t('title') });
  await dialog.getByRole('option').first().waitFor();
  await show('search');
  await dialog.getByRole('combobox').fill('127.16.');
  const found = dialog.getByRole('option', { name: /^127\.16\./ }).first();
  await found.waitFor();
  await show('search-results');
  await dialog.getByRole('combobox').fill('zzz');
  await dialog.getByText(t('nothing', { Text: 'zzz' })).waitFor();
  await show('search-nothing');
  await page.keyboard.press('Escape');
}

/** Prices for a reseller. The demo reseller is signed in. */
export async function resellerTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  await opener(tour)(SCREENS.pricing);
  await page.getByRole('main').locator('s').first().waitFor();
  await show('pricing-reseller');
  await opener(tour)(SCREENS.order);
  // On a phone the regions are collapsed.
  const search = texts(language, 'static_residential_proxies')('order.search');
  await page.getByRole('searchbox', { name: search }).fill(NEW_YORK[language]);
  const more = page.getByRole('button', {
    name: new RegExp(`^${texts(language, 'common')('increase', { Label: '' })}`),
  });
  await more.first().click();
  await show('order-reseller');
}

/** Refunds can go back to where the money came from; the demo's orders were paid from the wallet. */
async function answerWithSource(page: Page): Promise<void> {
  const Source: Schemas['RefundSource'] = {
    Gateway: 'epay',
    IsByHand: false,
    MustBeClaimed: false,
    Left: '40.00',
    Charged: '35.62',
    ChargedCurrency: 'CNY',
  };
  await page.route('**/api/Operator/PreviewRefund', async (route) => {
    const postData = { ...route.request().postDataJSON(), ToSource: false };
    const answer = await (await route.fetch({ postData })).json();
    await route.fulfill({ json: { ...answer, Data: { ...answer.Data, Source } } });
  });
}

/** Operator screens. An operator is signed in. */
export async function operatorTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const open = opener(tour);
  const orders = texts(language, 'orders');
  const accounts = texts(language, 'accounts');
  const common = texts(language, 'common');
  const dialog = page.getByRole('dialog');
  const leaves = () => leavesDialog(tour);

  await open('/operator/orders');
  await page.getByRole('searchbox', { name: orders('operator.search') }).fill('customer@example.com');
  const fulfilled = page.getByText(orders('state.fulfilled')).filter({ visible: true });
  await fulfilled.last().waitFor();
  await show('account-orders');
  await page.getByRole('combobox', { name: orders('stateTitle') }).selectOption('fulfilled');
  // Unpaid orders of the demo customer.
  await page.getByText(common('range', { From: 1, To: FULFILLED_ORDERS, Total: FULFILLED_ORDERS })).waitFor();
  const order = page.getByRole('link', { name: /^PO\w{10}$/ }).first();
  await order.click();
  const refund = page.getByRole('button', { name: orders('refund.open'), exact: true });
  await refund.waitFor();
  await show('account-order');
  await answerWithSource(page);
  await refund.click();
  await dialog.getByRole('checkbox').first().waitFor();
  await show('refund-unused');
  await dialog.getByRole('radio', { name: orders('refund.amount') }).check();
  await dialog.getByRole('radio', { name: new RegExp(`^${orders('method.epay')}`) }).check();
  await dialog.getByLabel(orders('refund.amountIn', { Currency: 'USD' })).fill('5');
  await dialog.getByText(orders('refund.arrivesAs'), { exact: true }).waitFor();
  await dialog.getByRole('button', { name: orders('refund.confirm', { Amount: '$5.00' }) }).click();
  await dialog.getByRole('alert').first().waitFor();
  await show('refund-amount');
  await leaves();
  await page.unroute('**/api/Operator/PreviewRefund');

  await open('/operator/accounts');
  const reseller = page.getByRole('link', { name: 'reseller@example.com' });
  await reseller.waitFor();
  await show('accounts');
  await reseller.click();
  await page.getByLabel(accounts('terms.percent')).fill('95');
  await page.getByRole('button', { name: accounts('terms.save') }).click();
  await page.getByRole('main').getByRole('alert').first().waitFor();
  await show('account');
  await page.getByRole('button', { name: accounts('adjust.open') }).click();
  await dialog.getByLabel(accounts('adjust.amountIn', { Currency: 'USD' })).fill('5');
  await dialog.getByRole('button', { name: accounts('adjust.addAmount', { Amount: '$5.00' }) }).click();
  await dialog.getByRole('alert').waitFor();
  await show('account-adjust');
  await leaves();
  await open(`${new URL(page.url()).pathname}/view`);
  await page.getByRole('button', { name: accounts('view.begin') }).waitFor();
  await show('account-view');
  await open('/operator/accounts?Search=operator');
  await page.getByRole('link', { name: 'operator@example.com' }).click();
  await page.getByText('postern account level operator@example.com customer').waitFor();
  await show('account-staff');

  await proxyServersTour(tour);
  await open('/operator/referrals');
  const r = texts(language, 'referrals');
  const reject = page.getByRole('button', { name: r('operator.reject') }).first();
  await reject.waitFor();
  await show('referrals-to-review');
  await reject.click();
  await dialog.getByLabel(r('operator.note')).waitFor();
  await show('referral-refusal');
  await leaves();
  await page.getByRole('button', { name: r('operator.add') }).click();
  await dialog.getByLabel(r('operator.ratePercent')).fill('60');
  await dialog.getByRole('button', { name: r('operator.submit'), exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await show('referral-rule-refused');
  await leaves();

  await open('/operator/audit-log');
  const entry = page.getByTitle(texts(language, 'audit')('open')).filter({ visible: true }).first();
  await entry.waitFor();
  await show('audit-log');
  await entry.click();
  await dialog.waitFor();
  await show('audit-log-entry');
  await leaves();

  // The shop has no problem, so the alarm banner is mocked.
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
  await statusTour(tour);
}

/** Proxy servers with outages, which the demo does not have. */
async function statusTour(tour: Tour): Promise<void> {
  const { page, language, show } = tour;
  const days = (outages: Record<number, number>, known = 86_400) =>
    Array.from({ length: 30 }, (_, index) => ({
      Day: new Date(Date.UTC(2026, 9, 29 + index)).toISOString().slice(0, 10),
      KnownSeconds: known,
      DownSeconds: outages[index] ?? 0,
    }));
  const Data = [
    { Name: 'Europe', Kind: 'residential', State: 'operational', Days: days({ 4: 240, 17: 20_000 }) },
    { Name: 'ISP', Kind: 'static', State: 'down', DownSince: '2026-11-27 09:00:00', Days: days({ 29: 7_200 }) },
    { Name: 'New', Kind: 'static', State: 'unknown', Days: days({}, 0) },
  ];
  const call = '**/api/Endpoints/GetServerStatusList';
  await page.route(call, (route) => route.fulfill({ json: { Code: 1000, Message: '', Data } }));
  await opener(tour)(SCREENS.status);
  await page.getByText(texts(language, 'status')('summary.down_one', { count: 1 })).waitFor();
  await page.getByRole('slider').first().focus();
  await show('status-outages');
  await page.unroute(call);
}

/** Proxy servers for operators: added, with their secret, and rejected records. */
async function proxyServersTour(tour: Tour): Promise<void> {
  const { page, shop, language, show } = tour;
  const t = texts(language, 'proxy_servers');
  const common = texts(language, 'common');
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  await opener(tour)('/operator/proxy-servers');
  await page.getByText('Demo ISP', { exact: true }).filter({ visible: true }).first().waitFor();
  await show('proxy-servers');
  await page.getByRole('button', { name: t('add') }).click();
  await dialog.getByLabel(t('form.host'), { exact: true }).fill('http://gate');
  await press(t('form.submit'));
  await dialog.getByRole('alert').first().waitFor();
  await show('proxy-server-add');
  // Each window adds one of its own.
  const others = await page.evaluate(() => Date.now());
  await dialog.getByLabel(t('form.name'), { exact: true }).fill(`Gate ${others}`);
  await dialog.getByLabel(t('form.host'), { exact: true }).fill('gate-2.example.com');
  await dialog.getByLabel(t('form.httpPort'), { exact: true }).fill('8000');
  await press(t('form.submit'));
  await dialog.getByText(t('secret.once')).waitFor();
  await show('proxy-server-secret');
  await press(common('done'));
  shop.runs('proxy-server', 'remove', `Gate ${others}`);
  const menu = page.getByRole('button', { name: t('list.actionsOf', { Name: 'Demo ISP' }) });
  for (const action of ['rotate', 'remove'] as const) {
    await menu.click();
    await page.getByRole('menuitem', { name: t(`action.${action}`) }).click();
    await dialog.waitFor();
    await show(`proxy-server-${action}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByRole('radio', { name: t('view.rejected') }).click({ force: true });
  const record = page.getByRole('button', { name: 'isp-1/18204' });
  await record.waitFor();
  await show('rejected-usage');
  await record.click();
  await dialog.waitFor();
  await show('rejected-record');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  for (const [call, Data] of [
    ['GetProxyServerList', []],
    ['GetRejectedUsageList', { Rows: [], Total: 0, Page: 1, PageSize: 50 }],
  ] as const) {
    await page.route(`**/api/Operator/${call}`, (route) => route.fulfill({ json: { Code: 1000, Message: '', Data } }));
  }
  await opener(tour)('/operator/proxy-servers');
  await page.getByText(t('empty.title')).waitFor();
  await show('proxy-servers-empty');
  await opener(tour)('/operator/proxy-servers?view=rejected');
  await page.getByText(t('rejected.none')).waitFor();
  await show('rejected-usage-empty');
  await page.unrouteAll();
}

/** Signs out and signs in as another demo user. */
export async function comesAs({ page, shop, language }: Tour, email: string): Promise<void> {
  // A page without the app, which would keep its state of the user.
  await page.goto(`${shop.url}/demo/mail`);
  await page.evaluate(() => localStorage.removeItem('user'));
  await signIn(page, shop, language, email);
}
