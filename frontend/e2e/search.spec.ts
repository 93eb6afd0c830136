// Global search: by keyboard on a wide screen, by touch on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const EMAIL = 'customer@example.com';
const FIRST = { Page: 1, PageSize: 5, Sort: [], Search: '', Filter: {} };

const UNPAID = {
  VerStr: 'shared ISP proxies plan',
  PeriodDays: 30,
  Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }],
  ExpectedTotal: '5.00',
  PayFromWallet: false,
};

const dialogOf = (customer: Customer) =>
  customer.page.getByRole('dialog', { name: customer.text('search:title'), exact: true });

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

/** Opens the search by shortcut, types, and waits until a result with this name is active. */
async function searches(customer: Customer, typed: string, result: string | RegExp): Promise<void> {
  const { page } = customer;
  await dialogOf(customer).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const dialog = dialogOf(customer);
  // The field has the focus.
  await dialog.locator('input:focus').waitFor();
  await page.keyboard.type(typed);
  await dialog.getByRole('option', { name: result, selected: true }).waitFor();
}

/** A row of one of the account's lists. */
async function firstRow<Row>(customer: Customer, call: string): Promise<Row> {
  const { Rows } = await customer.asks<{ Rows: Row[] }>(call, FIRST);
  const [row] = Rows;
  if (!row) throw new Error(`${call} has no rows`);
  return row;
}

test.each(inTurn(LANGUAGES))('screens, actions and rows are found and opened by keyboard, in %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, EMAIL);
  const { page } = customer;
  await customer.opens('/welcome/products');
  await page.getByRole('button', { name: customer.text('nav:search') }).waitFor();

  await searches(customer, customer.text('nav:billing-wallet'), new RegExp(`^${customer.text('nav:billing-wallet')}`));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/billing\/wallet$/);
  // Navigation moves the focus to the screen.
  await expect.poll(() => focused(page)).toBe('main');

  await searches(customer, language === 'zh' ? '发票' : 'invoice', customer.text('search:action.invoices'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/billing\/transactions\?view=invoices$/);

  const order = await firstRow<{ OrderId: number; OrderNumber: string }>(customer, 'Order/GetOrderList');
  await searches(customer, order.OrderNumber.toLowerCase(), new RegExp(`^${order.OrderNumber}`));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search === `?OrderId=${order.OrderId}`);

  const node = await firstRow<{ Ip: string }>(customer, 'Ips/GetUserNodeList');
  await searches(customer, node.Ip, new RegExp(`^${node.Ip}`));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search === `?Search=${node.Ip}`);
  await customer.rows(1);

  // The last option links to the full list.
  await searches(customer, '127.16.', /^127\.16\./);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search === '?Search=127.16.');

  const user = await firstRow<{ Name: string }>(customer, 'ProxyUsers/GetProxyUserList');
  await searches(customer, user.Name, /./);
  await dialogOf(customer)
    .getByRole('group', { name: customer.text('search:users') })
    .waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith('/users') && url.searchParams.has('Search'));

  await searches(customer, customer.text('search:action.addWebhook'), customer.text('search:action.addWebhook'));
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: customer.text('webhooks:form.chosen') })
    .waitFor();
  expect(new URL(page.url()).search).toBe('');
  // It does not open over another dialog.
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await searches(customer, customer.text('search:action.darkTheme'), customer.text('search:action.darkTheme'));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('closing the search returns the focus, and its shortcut closes it', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/static-residential-proxies/proxy-list');
  const field = page.getByRole('main').getByRole('searchbox');
  const isFocused = () => field.evaluate((element) => element === document.activeElement);
  for (const key of ['Escape', 'Control+k']) {
    await field.focus();
    await page.keyboard.press('Control+k');
    await dialogOf(customer).waitFor();
    await page.keyboard.press(key);
    await dialogOf(customer).waitFor({ state: 'detached' });
    await expect.poll(isFocused, { message: key }).toBe(true);
  }
  // Over the chat, which is not modal, it opens.
  await searches(customer, 'support', customer.text('search:action.support'));
  await page.keyboard.press('Enter');
  const message = page.getByRole('textbox', { name: customer.text('support:message') });
  await expect.poll(() => message.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+k');
  await dialogOf(customer).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => message.evaluate((element) => element === document.activeElement)).toBe(true);
  await searches(customer, 'log out', customer.text('search:action.signOut'));
  await page.keyboard.press('Enter');
  await customer.heading(customer.text('auth:login.title')).waitFor();
});

test.each(inTurn(LANGUAGES))('touch search on a phone, in %s', async (language) => {
  const window = { width: 360, height: 740, touch: true };
  const customer = await Customer.comesBack(shop, browser, language, EMAIL, window);
  const { page } = customer;
  await customer.opens('/billing/wallet');
  await page.getByRole('button', { name: customer.text('nav:search') }).tap();
  const dialog = dialogOf(customer);
  await dialog.waitFor();
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, width: 360 });
  const node = await firstRow<{ Ip: string }>(customer, 'Ips/GetUserNodeList');
  await dialog.getByRole('combobox').fill(node.Ip);
  await dialog.getByRole('option', { name: new RegExp(`^${node.Ip}`) }).tap();
  await page.waitForURL((url) => url.search === `?Search=${node.Ip}`);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: customer.text('nav:search') }).tap();
  await dialog.getByRole('button', { name: customer.text('common:close') }).tap();
  await dialog.waitFor({ state: 'detached' });
  // The header fits, also with an unpaid order.
  await customer.calls('Order/CreateOrder', UNPAID);
  await page.reload();
  const unpaid = await customer.asks<unknown[]>('Order/GetUnpaidOrderList', {});
  await customer.unpaidOrders(unpaid.length).waitFor();
  await page.getByRole('button', { name: customer.text('nav:search') }).waitFor();
  const overflow = () =>
    page.locator('header').evaluate((header) => {
      const right = Math.max(...[...header.children].map((child) => child.getBoundingClientRect().right));
      return right - header.getBoundingClientRect().right;
    });
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test('a suspended account finds only what it may open', async () => {
  const email = 'reseller@example.com';
  shop.runs('account', 'suspend', email, '--reason', 'searched');
  const customer = await Customer.comesBack(shop, browser, 'en', email);
  await customer.opens('/billing/wallet');
  await customer.page.getByRole('button', { name: customer.text('nav:search') }).waitFor();
  await customer.page.keyboard.press('Control+k');
  const screens = dialogOf(customer).getByRole('group', { name: customer.text('search:screens') });
  await screens.waitFor();
  expect(await screens.getByRole('option').count()).toBe(3);
  await customer.page.keyboard.type('127.16.');
  await customer.sees(customer.text('search:nothing', { Text: '127.16.' }));
  shop.runs('account', 'resume', email);
});

test('an operator finds accounts by email', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'operator@example.com');
  const { page } = customer;
  await customer.opens('/operator/orders');
  await page.getByRole('button', { name: customer.text('nav:search') }).waitFor();
  await searches(customer, 'reseller@', /./);
  await dialogOf(customer)
    .getByRole('option', { name: /^reseller@example.com/ })
    .click();
  await page.waitForURL(/\/operator\/accounts\/\d+$/);
  await page.getByLabel(customer.text('accounts:terms.percent')).waitFor();
});
