// Top-ups when the payment is declined, when its callback is lost, and when it arrives twice.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  const settings = { POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234' };
  [shop, browser] = await Promise.all([Shop.open(settings), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test('a declined top-up charges nothing and can be retried', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.signsUp();
  await customer.beginsTopUp('50.00');
  await customer.tellsBankTo('decline');
  await customer.sees(customer.text('billing:outcome.failed'));
  await customer.hasBalance('$0.00');
  await customer.topsUp('50.00');
  await customer.hasBalance('$50.00');
  const told = customer.page.getByRole('status').filter({ hasText: '$50.00' });
  await told.getByRole('link', { name: customer.text('common:buyProxies') }).click();
  await customer.heading(customer.own('order.title')).waitFor();
});

test('a top-up whose callback was lost is settled by polling the gateway', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  await customer.beginsTopUp('100.00');
  await customer.tellsBankTo('lost');
  await customer.seesTopUp('100.00');
  await customer.hasBalance('$100.00');
});

test('a top-up whose callback arrives twice is credited once', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  await customer.joins();
  await customer.beginsTopUp('100.00');
  await customer.tellsBankTo('twice');
  await customer.seesTopUp('100.00');
  await customer.hasBalance('$100.00');
  // Reloading the return page credits nothing again.
  await customer.page.reload();
  await customer.goesTo('billing', 'billing-transactions');
  const movements = await customer.rows(1);
  expect(movements).toHaveLength(1);
  expect(movements[0]).toContain(customer.text('billing:transactions.kind.top_up'));
  expect(movements[0]).toContain('+$100.00');
  await customer.hasBalance('$100.00');
});

test('an order is paid through the gateway without a top-up', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 1);
  await customer.placesOrder();
  await customer.paysWith('sandbox');
  await customer.tellsBankTo('twice');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$0.00');
  await expect.poll(() => customer.unpaidOrders(1).count()).toBe(0);
});

test('an invalid amount is refused at its field before anything is sent', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  const amount = customer.page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true });
  for (const wrong of ['', 'ten', '0.01', '-5', '1e3']) {
    await amount.fill(wrong);
    await customer.page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
    await customer.page.getByRole('alert').first().waitFor();
    await expect.poll(() => amount.getAttribute('aria-invalid'), { message: wrong }).toBe('true');
  }
});

test('a bank transfer shows its instructions, and is credited once the operator has confirmed it', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  await customer.page
    .getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true })
    .fill('80.00');
  await customer.page.getByLabel(customer.text('billing:topUp.method')).selectOption('transfer');
  await customer.page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
  await customer.heading(customer.text('pay:transfer.title')).waitFor();
  await customer.sees('IBAN XX00 1234');
  const reference = await customer.page
    .getByRole('definition')
    .filter({ hasNotText: 'Example Bank' })
    .first()
    .innerText();
  shop.runs('order', 'settle', reference, '--amount', '80.00');
  await customer.page.reload();
  await customer.heading(customer.text('pay:transfer.done')).waitFor();
  await customer.page.getByRole('link', { name: customer.text('pay:back') }).click();
  await customer.seesTopUp('80.00');
  await customer.hasBalance('$80.00');
});

test('monthly expenses are shown as a chart and as a table for screen readers', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
  await customer.goesTo('billing', 'billing-wallet');
  const table = customer.page.getByRole('table', { name: customer.text('billing:expensesByMonth.title') });
  const rows = table.getByRole('row');
  await rows.nth(12).waitFor();
  await expect.poll(() => rows.count()).toBe(13);
  await expect.poll(() => rows.nth(12).getByRole('cell').innerText()).toBe('$10.00');
  await expect.poll(() => rows.nth(11).getByRole('cell').innerText()).toBe('$0.00');
});
