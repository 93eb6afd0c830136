// Coupons at the order form: refused, applied, priced live, removed, and used up.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, discountText, FRANKFURT, NEW_YORK } from './customer';
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

test.each(inTurn(LANGUAGES))('a coupon takes a tenth off an order, once, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins('50.00');
  await customer.opensOrderForm();
  const summary = page.getByRole('complementary', { name: customer.text('orders:quote.summary') });
  const field = summary.getByLabel(customer.text('orders:quote.coupon'), { exact: true });
  const apply = summary.getByRole('button', { name: customer.text('orders:quote.couponApply'), exact: true });
  const total = summary.getByText('$13.50');

  await field.fill('no such coupon');
  await apply.click();
  await summary
    .getByRole('alert')
    .filter({ hasText: customer.text('validation:couponCode', { Min: 3, Max: 32 }) })
    .waitFor();
  await field.fill('NOSUCH');
  await apply.click();
  await summary
    .getByRole('alert')
    .filter({ hasText: customer.text('validation:couponUnknown') })
    .waitFor();

  await customer.wants(NEW_YORK, 1);
  await field.fill('welcome10');
  await apply.click();
  // One IP is below the coupon's minimum.
  await summary.getByText(customer.text('validation:couponMinimum', { Min: '10.00' })).waitFor();
  await expect.poll(() => summary.innerText()).toContain('$5.00');
  await customer.wants(NEW_YORK, 2);
  await customer.wants(FRANKFURT, 1);
  await total.waitFor();
  await expect.poll(() => summary.innerText()).toContain(discountText(customer, 'coupon', '10%'));

  await summary
    .getByRole('button', { name: customer.text('orders:quote.couponRemove', { Code: 'WELCOME10' }) })
    .click();
  await summary.getByText('$15.00').first().waitFor();
  await field.fill('WELCOME10');
  await apply.click();
  await total.waitFor();
  await customer.placesOrder();
  await customer.sees(discountText(customer, 'coupon', '10%', 'WELCOME10'));
  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$36.50');

  await customer.opensOrderForm();
  await field.fill('WELCOME10');
  await apply.click();
  await summary
    .getByRole('alert')
    .filter({ hasText: customer.text('validation:couponUsedUp', { Limit: 1 }) })
    .waitFor();
});
