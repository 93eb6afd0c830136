// An operator's first screen: today's figures after a sale, ranges, what waits, and the checklist, in both languages and on a phone.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { makeTransfers } from './prepare';
import { EVERYTHING } from './screens';
import { openBrowser, Shop } from './shop';
import { beyondWindow } from './widths';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(EVERYTHING), openBrowser()]);
  await makeTransfers(shop);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const OPERATOR = 'operator@example.com';
/** Two IPs of the first plan. */
const SPENT = 10;

const textOf = (operator: Customer) => (key: string, parameters?: Record<string, string | number>) =>
  operator.text(`business:${key}`, parameters);

/** A figure of today, once it is loaded. */
async function todays(operator: Customer, name: string): Promise<string> {
  const t = textOf(operator);
  const figures = operator.heading(t('today.title')).locator('xpath=following-sibling::dl');
  const figure = figures.locator('div').filter({ has: operator.page.getByText(t(`figure.${name}`), { exact: true }) });
  const value = figure.locator('dd').filter({ hasText: /\d/ });
  await value.waitFor();
  return (await value.innerText()).trim();
}

const numberIn = (text: string) => Number(text.replace(/[$,]/g, ''));

/** The radio button of a range. */
const rangeOf = (operator: Customer, unit: 'days' | 'months', count: number): Locator =>
  operator.page
    .getByRole('group', { name: textOf(operator)('range.label'), exact: true })
    .getByRole('radio', { name: textOf(operator)(`range.${unit}_other`, { count }), exact: true });

test.each(inTurn(LANGUAGES))('%s: a sale is among the figures of today, and of each range', async (language) => {
  const operator = await Customer.stands(shop, browser, language, OPERATOR);
  const { page } = operator;
  const t = textOf(operator);
  await operator.opens('/login');
  await operator.fillsLogin(OPERATOR, shop.passwordOf(OPERATOR));
  await page.waitForURL((url) => url.pathname === '/operator/business');
  await operator.heading(t('title')).waitFor();
  await operator.heading(t('range.title.days_other', { count: 30 })).waitFor();
  const orders = numberIn(await todays(operator, 'orders'));
  const revenue = numberIn(await todays(operator, 'revenue'));
  const accounts = numberIn(await todays(operator, 'newAccounts'));

  const customer = await Customer.arrives(shop, browser, language);
  await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
  await page.reload();
  await operator.isInTheApp();
  expect(numberIn(await todays(operator, 'orders'))).toBe(orders + 1);
  expect(numberIn(await todays(operator, 'revenue'))).toBeCloseTo(revenue + SPENT, 2);
  expect(numberIn(await todays(operator, 'newAccounts'))).toBe(accounts + 1);

  await rangeOf(operator, 'days', 90).check();
  await page.waitForURL(/\/operator\/business\?Range=days90$/);
  await operator.heading(t('range.title.days_other', { count: 90 })).waitFor();
  const rows = page.getByRole('table', { name: t('charts.orders'), exact: true }).getByRole('row');
  // The head, whole days, and today so far.
  expect(await rows.count()).toBe(1 + 90 + 1);
  const last = await rows.last().innerText();
  expect(last).toContain(t('charts.partial.days', { Name: shop.now().toISOString().slice(0, 10) }));
  expect(last).toMatch(new RegExp(`\\s${orders + 1}$`));

  await page.reload();
  await operator.isInTheApp();
  await operator.heading(t('range.title.days_other', { count: 90 })).waitFor();
  await rangeOf(operator, 'months', 12).check();
  await operator.heading(t('range.title.months_other', { count: 12 })).waitFor();
  expect(await rows.count()).toBe(1 + 12 + 1);
});

test.each(inTurn(LANGUAGES))(
  '%s: what waits leads to where it is done, and the checklist is hidden and shown',
  async (language) => {
    const operator = await Customer.comesBack(shop, browser, language, OPERATOR);
    const { page } = operator;
    const t = textOf(operator);
    const task = page.getByRole('link', { name: t('tasks.of.transfers_one', { Number: '1' }), exact: true });
    await task.click();
    await page.waitForURL(/\/operator\/payments\?view=transfers$/);
    await operator.heading(operator.text('payments:title')).waitFor();
    const [waiting = ''] = await operator.rows(1);
    expect(waiting).toContain('$50.00');
    await page.goBack();
    await task.waitFor();

    const checklist = operator.heading(t('steps.title'));
    await checklist.waitFor();
    await page.getByRole('button', { name: t('steps.copy', { Text: 'POSTERN_SMTP_URL' }), exact: true }).click();
    await operator.sees(operator.text('common:copied'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('POSTERN_SMTP_URL');
    await page.getByRole('button', { name: t('steps.hide'), exact: true }).click();
    await checklist.waitFor({ state: 'detached' });
    await page.reload();
    await operator.isInTheApp();
    const shows = page.getByRole('button', { name: t('steps.show'), exact: true });
    await shows.waitFor();
    expect(await checklist.count()).toBe(0);
    await shows.click();
    await checklist.waitFor();
  },
);

test.each(inTurn(LANGUAGES))('%s: on a phone, nothing is wider than the screen', async (language) => {
  const phone = { width: 360, height: 780, touch: true };
  const operator = await Customer.comesBack(shop, browser, language, OPERATOR, phone);
  const { page } = operator;
  const t = textOf(operator);
  await operator.heading(t('steps.title')).waitFor();
  await operator.heading(t('products.title')).waitFor();
  expect(await beyondWindow(page)).toBe(0);
  await rangeOf(operator, 'months', 12).check();
  await operator.heading(t('range.title.months_other', { count: 12 })).waitFor();
  expect(await beyondWindow(page)).toBe(0);
});
