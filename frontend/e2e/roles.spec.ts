// Roles of the seller's staff: an operator appoints support and an accountant, who see and do what their role may, and nothing is refused to them.
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schemas } from '../src/api/client';
import { Customer, FRANKFURT, NEW_YORK, PASSWORD } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { ask, buy, makeAccount, makeTransfers, topUp } from './prepare';
import { type Language, openBrowser, Shop, texts } from './shop';

let shop: Shop;
let browser: Browser;
/** The number of the order whose transfer waits for an operator. */
let announced: string;

beforeAll(async () => {
  const settings = { POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234' };
  [shop, browser] = await Promise.all([Shop.open(settings), openBrowser()]);
  announced = await makeTransfers(shop);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

type Role = 'support' | 'accountant';

/** On the screen of an account, an operator gives it a role. */
async function appoints(operator: Customer, email: string, role: Role): Promise<void> {
  const { page } = operator;
  const t = texts(operator.language, 'accounts');
  await operator.goesTo('operator', 'operator-accounts');
  await operator.heading(t('title')).waitFor();
  await page.getByRole('searchbox', { name: t('search') }).fill(email);
  await page.getByRole('link', { name: email, exact: true }).click();
  await operator.heading(email).waitFor();
  await page.getByRole('radio', { name: new RegExp(`^${t(`level.${role}`)}`) }).check();
  await page.getByText(t('terms.appoints', { Email: email })).waitFor();
  await page.getByRole('button', { name: t('terms.save') }).click();
  await operator.sees(t('terms.saved', { Email: email, Terms: t(`level.${role}`) }));
  // Staff are neither suspended nor credited.
  expect(await page.getByRole('button', { name: t('standing.suspend') }).count()).toBe(0);
  expect(await page.getByRole('button', { name: t('adjust.open') }).count()).toBe(0);
}

/** Follows the calls of a page: those under way, and those refused because the role may not make them. */
function watches({ page }: Customer) {
  const underWay = new Set<Request>();
  const refused: string[] = [];
  page.on('request', (request) => {
    // Streams stay open.
    if (request.url().includes('/api/') && !request.url().includes('/WaitFor')) underWay.add(request);
  });
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('requestfinished', async (request) => {
    if (!underWay.has(request)) return;
    const response = await request.response();
    const isJson = response?.headers()['content-type']?.includes('json');
    const answer = isJson ? await response?.json().catch(() => undefined) : undefined;
    if (answer?.Code === 3003) refused.push(request.url());
    underWay.delete(request);
  });
  return { refused, rests: () => expect.poll(() => underWay.size, { timeout: 20_000 }).toBe(0) };
}

/** Appoints a new account, and signs it in by its first screen's path. */
async function starts(operator: Customer, role: Role, path: string) {
  const { language } = operator;
  const email = `${role}-${language}@example.com`;
  await makeAccount(shop, language, email, PASSWORD);
  await appoints(operator, email, role);
  const staff = await Customer.stands(shop, browser, language, email);
  const calls = watches(staff);
  await staff.opens('/login');
  await staff.fillsLogin(email, PASSWORD);
  await staff.page.waitForURL((url) => url.pathname === path);
  await staff.page.getByRole('heading', { level: 1 }).waitFor();
  return { staff, calls };
}

/** The operators' screens in the sidebar. */
function screensOf({ page, language }: Customer) {
  const nav = texts(language, 'nav');
  const entry = page.getByRole('link', { name: nav('operator'), exact: true });
  const sidebar = page.getByRole('navigation', { name: nav('navigation') });
  return sidebar.getByRole('listitem').filter({ has: entry }).getByRole('listitem');
}

/** Opens each of the operators' screens: all load, and no call is refused. Returns their names. */
async function visitsAll(staff: Customer, { rests, refused }: ReturnType<typeof watches>): Promise<string[]> {
  const screens = screensOf(staff);
  await screens.first().waitFor();
  const names = (await screens.allInnerTexts()).map((name) => name.trim());
  for (const name of names) {
    const link = screens.getByRole('link', { name, exact: true });
    await link.click();
    const href = await link.getAttribute('href');
    await staff.page.waitForURL((url) => url.pathname === href);
    await staff.page.getByRole('heading', { level: 1 }).waitFor();
    await rests();
    expect(await staff.page.getByText(staff.text('common:loadFailed'), { exact: true }).count()).toBe(0);
  }
  expect(refused).toEqual([]);
  return names;
}

/** A customer with an order of $5.00 and one of far more than support may refund; returns both numbers. */
async function buys(language: Language): Promise<{ email: string; small: string; large: string }> {
  const email = `buyer-${language}@example.com`;
  const session = await makeAccount(shop, language, email, PASSWORD);
  await topUp(shop, session, '200.00');
  const numberOf = async (OrderId: number) =>
    (await ask<Schemas['OrderView']>(shop, 'Order/GetOrder', { OrderId }, session)).OrderNumber;
  const small = await numberOf(await buy(shop, session, [[NEW_YORK, 1]]));
  const wanted: Parameters<typeof buy>[2] = [
    [NEW_YORK, 12],
    [FRANKFURT, 12],
  ];
  return { email, small, large: await numberOf(await buy(shop, session, wanted)) };
}

/** Finds an order in the list of all, and opens it. */
async function opensOrder(staff: Customer, email: string, number: string): Promise<void> {
  const { page } = staff;
  await staff.goesTo('operator', 'operator-orders');
  await staff.heading(staff.text('orders:operator.all')).waitFor();
  await page.getByRole('searchbox', { name: staff.text('orders:operator.search') }).fill(email);
  await page.getByRole('link', { name: number, exact: true }).click();
  await staff.heading(staff.text('orders:timeline')).waitFor();
}

test.each(inTurn(LANGUAGES))(
  '%s: support begins with the chats, refunds a small order, and is told of its limit',
  async (language) => {
    const { email, small, large } = await buys(language);
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { staff, calls } = await starts(operator, 'support', '/operator/support');
    const { page } = staff;
    await staff.heading(staff.text('support:operator.title')).waitFor();
    const names = await visitsAll(staff, calls);
    expect(names).toContain(staff.text('nav:operator-support'));
    for (const hidden of ['business', 'referrals', 'system', 'audit-log'])
      expect(names).not.toContain(staff.text(`nav:operator-${hidden}`));

    const t = (key: string, parameters?: Record<string, string | number>) => staff.text(`orders:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    await opensOrder(staff, email, small);
    await page.getByRole('button', { name: t('refund.open'), exact: true }).click();
    await dialog.getByLabel(t('refund.reason')).fill('slow');
    await dialog.getByRole('button', { name: t('refund.confirm', { Amount: '$5.00' }), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(t('state.refunded'), { exact: true }).first().waitFor();

    await opensOrder(staff, email, large);
    await page.getByRole('button', { name: t('refund.open'), exact: true }).click();
    const limit = dialog.getByText(staff.text('errors:supportRefundLimit', { Max: 50 }));
    await limit.waitFor();
    await dialog.getByRole('radio', { name: t('refund.amount'), exact: true }).check();
    await limit.waitFor({ state: 'detached' });
    const amount = dialog.getByLabel(t('refund.amountIn', { Currency: 'USD' }));
    await amount.fill('50.01');
    await limit.waitFor();
    await amount.fill('50');
    await dialog.getByRole('button', { name: t('refund.confirm', { Amount: '$50.00' }), exact: true }).waitFor();
    await dialog.getByRole('button', { name: staff.text('common:cancel'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await staff.opens('/operator/business');
    await staff.heading(staff.text('common:notFound')).waitFor();
    await staff.opens('/operator');
    await page.waitForURL((url) => url.pathname === '/operator/support');
    await calls.rests();
    expect(calls.refused).toEqual([]);
  },
);

test.each(inTurn(LANGUAGES))(
  '%s: an accountant reads and saves what was sold and paid, and changes nothing',
  async (language) => {
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { staff, calls } = await starts(operator, 'accountant', '/operator/business');
    const { page } = staff;
    const main = page.getByRole('main');
    const presses = (name: string) => main.getByRole('button', { name, exact: true });
    await staff.heading(staff.text('business:products.title')).waitFor();
    expect(await staff.heading(staff.text('business:tasks.title')).count()).toBe(0);
    const names = await visitsAll(staff, calls);
    for (const hidden of ['inventory', 'proxy-servers', 'support', 'system'])
      expect(names).not.toContain(staff.text(`nav:operator-${hidden}`));

    const t = (key: string, parameters?: Record<string, string>) => staff.text(`payments:${key}`, parameters);
    await staff.goesTo('operator', 'operator-payments');
    const views = page.getByRole('group', { name: t('view.label'), exact: true });
    await views.getByRole('radio', { name: t('view.transfers'), exact: true }).click();
    const [waiting = ''] = await staff.rows(1);
    expect(waiting).toContain('$50.00');
    expect(await presses(t('confirm.openOf', { OrderNumber: announced })).count()).toBe(0);
    await main.getByRole('link', { name: 'reseller@example.com', exact: true }).click();
    await staff.heading('reseller@example.com').waitFor();
    const accounts = texts(language, 'accounts');
    for (const key of ['adjust.open', 'note.save', 'terms.save', 'standing.suspend'])
      expect(await presses(accounts(key)).count()).toBe(0);
    for (const role of ['textbox', 'radio', 'switch'] as const) expect(await main.getByRole(role).count()).toBe(0);

    for (const [screen, title, button] of [
      ['coupons', 'coupons:title', 'coupons:add.open'],
      ['referrals', 'referrals:operator.title', 'referrals:operator.add'],
    ] as const) {
      await staff.goesTo('operator', `operator-${screen}`);
      await staff.heading(staff.text(title)).waitFor();
      await calls.rests();
      expect(await presses(staff.text(button)).count()).toBe(0);
    }

    await staff.goesTo('operator', 'operator-invoices');
    await staff.heading(t('invoices.title')).waitFor();
    await presses(t('month.open')).waitFor();
    await staff.goesTo('operator', 'operator-audit-log');
    await staff.heading(staff.text('audit:title')).waitFor();
    const [log] = await Promise.all([page.waitForEvent('download'), presses(staff.text('audit:export')).click()]);
    expect(log.suggestedFilename()).toMatch(/\.csv$/);
    await calls.rests();
    expect(calls.refused).toEqual([]);
  },
);
