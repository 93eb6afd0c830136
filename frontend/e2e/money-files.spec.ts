// Orders as a filtered list and a file, invoices in one place and a month of them as one file, in both languages.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { dayOf, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The first of this month in UTC, in which the shop's documents are named. */
const MONTH = dayOf(new Date()).slice(0, 7);

test.each(inTurn(LANGUAGES))(
  '%s: orders are filtered and saved, and a month of invoices is a file',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins();
    // A decimal comma is read; thousands are not guessed at.
    await customer.goesTo('billing', 'billing-wallet');
    const amount = page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true });
    await amount.fill('1,000');
    await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
    await customer.sees(customer.text('validation:amount'));
    await customer.beginsTopUp('12,50');
    await customer.tellsBankTo('approve');
    await customer.seesTopUp('12.50');
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 1);
    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await page.waitForURL(/\/order\?OrderId=\d+/);
    await customer.sees(customer.text('orders:fulfilled'));

    await customer.opens('/order');
    await customer.rows(2);
    const kind = page.getByLabel(customer.text('orders:kindTitle'), { exact: true });
    await kind.selectOption('purchase');
    const [purchase = ''] = await customer.rows(1);
    expect(purchase).toContain(customer.text('orders:state.fulfilled'));
    const state = page.getByLabel(customer.text('orders:stateTitle'), { exact: true });
    await state.selectOption('unpaid');
    await customer.sees(customer.text('common:noRows'));
    await state.selectOption('fulfilled');
    await customer.rows(1);
    const dates = page.getByPlaceholder(customer.text('orders:operator.range'));
    await dates.click();
    await page.getByRole('button', { name: customer.text('common:ranges.lastMonth'), exact: true }).click();
    await customer.sees(customer.text('common:noRows'));
    await dates.click();
    await page.getByRole('button', { name: customer.text('common:ranges.today'), exact: true }).click();
    await customer.rows(1);
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: customer.text('orders:export') }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe('orders.csv');
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(',purchase,fulfilled,1,');

    await customer.goesTo('billing', 'billing-transactions');
    await customer.heading(customer.text('billing:transactions.title')).waitFor();
    const views = page.getByRole('group', { name: customer.text('billing:invoices.view'), exact: true });
    await views.getByRole('radio', { name: customer.text('billing:invoices.title'), exact: true }).click();
    const [row = ''] = await customer.rows(1);
    const number = row.match(/INV-\d{4}-\d{6}/)?.[0] ?? '';
    expect(number).not.toBe('');
    await page.getByRole('button', { name: customer.text('billing:invoices.month') }).click();
    const [archive] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem').first().click()]);
    expect(archive.suggestedFilename()).toBe(`invoices-${MONTH}.zip`);
    const bytes = readFileSync(await archive.path()).toString('latin1');
    expect(bytes.startsWith('PK')).toBe(true);
    expect(bytes).toContain(`${number}.pdf`);
    expect(bytes).toContain('%PDF-');
    await page.getByRole('button', { name: customer.text('billing:invoices.month') }).click();
    await page.getByRole('menuitem').last().click();
    await customer.sees(customer.text('errors:noInvoices'));
  },
);

test.each(inTurn(LANGUAGES))('%s: the email of a sign-up is sent again or to another address', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.opens('/sign-up');
  const html = page.locator('html');
  await page.getByRole('button', { name: customer.text('common:darkTheme') }).click();
  expect(await html.getAttribute('data-theme')).toBe('dark');
  await page.getByRole('button', { name: customer.text('common:lightTheme') }).click();
  expect(await html.getAttribute('data-theme')).toBe('light');
  const email = page.getByLabel(customer.text('auth:email'), { exact: true });
  await email.fill(`mistyped-${customer.email}`);
  await page.getByLabel(customer.text('auth:password'), { exact: true }).fill('correct horse 21');
  const code = page.getByLabel(customer.text('auth:inviteCode'), { exact: true });
  await code.fill('NOBODY42');
  const submit = page.getByRole('button', { name: customer.text('auth:signUp.submit') });
  await submit.click();
  await customer.sees(customer.text('validation:unknownInviteCode'));
  await code.fill('');
  await submit.click();
  await customer.heading(customer.text('auth:signUp.sent')).waitFor();
  await page.getByRole('button', { name: customer.text('auth:mailSent.resend') }).click();
  await customer.sees(customer.text('auth:mailSent.again'));
  await page.getByRole('button', { name: customer.text('auth:mailSent.changeAddress') }).click();
  expect(await email.inputValue()).toBe(`mistyped-${customer.email}`);
  await email.fill(customer.email);
  await submit.click();
  await customer.followsMailedLink('confirm_sign_up');
  await page.getByRole('navigation').first().waitFor();
});
