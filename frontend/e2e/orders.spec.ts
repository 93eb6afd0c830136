// Unpaid orders: shown in the header, paid or cancelled from there; cancelling returns the IPs to the stock.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, TOKYO } from './customer';
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

test('an unpaid order is shown in the header with its time left, and cancelling it returns the stock', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins();
  await expect.poll(() => customer.unpaidOrders(1).count()).toBe(0);
  await customer.opensOrderForm();
  const before = await customer.stockOf(TOKYO);
  await customer.wants(TOKYO, 4);
  await customer.placesOrder();
  await customer.opensOrderForm();
  await expect.poll(() => customer.stockOf(TOKYO)).toBe(before - 4);

  await customer.unpaidOrders(1).click();
  const waiting = page.getByRole('dialog', { name: customer.text('orders:unpaid.title') });
  const shown = await waiting.innerText();
  expect(shown).toContain('$20.00');
  expect(shown).toMatch(/1[45]:\d\d/);
  await waiting.getByRole('button', { name: customer.text('orders:cancel') }).click();
  await page
    .getByRole('dialog', { name: customer.text('orders:cancelTitle') })
    .getByRole('button', { name: customer.text('orders:cancelConfirm') })
    .click();
  // A dialog hides the header from assistive technology.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(() => customer.unpaidOrders(1).count()).toBe(0);
  await page.reload();
  await expect.poll(() => customer.stockOf(TOKYO)).toBe(before);

  await customer.opens('/order');
  const orders = await customer.rows(1);
  expect(orders[0]).toContain(customer.text('orders:state.cancelled'));
});

test('an order that the wallet cannot pay offers a top-up of the missing amount', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  const { page } = customer;
  await customer.joins('10.00');
  await customer.opensOrderForm();
  await customer.wants(TOKYO, 5);
  await customer.placesOrder();
  await page.getByText(new RegExp(customer.text('orders:walletShortBy', { Amount: '.+' }))).waitFor();
  await page.getByRole('link', { name: customer.text('orders:topUp'), exact: true }).click();
  const amount = page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true });
  await expect.poll(() => amount.inputValue()).toBe('15.00');
  await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
  await customer.tellsBankTo('approve');
  await customer.hasBalance('$25.00');

  await customer.unpaidOrders(1).click();
  await page
    .getByRole('dialog', { name: customer.text('orders:unpaid.title') })
    .getByRole('link', { name: customer.text('orders:pay'), exact: true })
    .click();
  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$0.00');
});

test("on a phone payment, and later the bought IPs, come before the order's contents", async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com', { width: 360, height: 780 });
  await customer.opens('/static-residential-proxies/order');
  await customer.wants(TOKYO, 1);
  await customer.placesOrder();
  const top = async (key: string) => (await customer.heading(customer.text(`orders:${key}`)).boundingBox())?.y ?? 0;
  await customer.heading(customer.text('orders:payTitle')).waitFor();
  expect(await top('payTitle')).toBeLessThan(await top('contents'));
  await customer.paysWith('wallet');
  await customer.heading(customer.text('orders:nodesOf_one')).waitFor();
  expect(await top('nodesOf_one')).toBeLessThan(await top('contents'));
  expect(await customer.heading(customer.text('orders:payTitle')).count()).toBe(0);
});

for (const language of inTurn(LANGUAGES)) {
  test(`an order is paid partly from the wallet and the rest through the gateway, in ${language}`, async () => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins('10.00');
    await customer.opensOrderForm();
    await customer.wants(TOKYO, 3);
    await customer.placesOrder();
    await page.getByText(new RegExp(customer.text('orders:walletShortBy', { Amount: '.+' }))).waitFor();
    await page.getByRole('radio', { name: customer.text('orders:method.sandbox') }).check();
    await page.getByRole('switch', { name: customer.text('orders:useWallet', { amount: '$10.00' }) }).check();
    await page.getByRole('button', { name: `${customer.text('orders:payNow')} $5.00` }).click();
    await customer.tellsBankTo('approve');
    await customer.sees(customer.text('orders:fulfilled'));
    await customer.hasBalance('$0.00');
  });
}
