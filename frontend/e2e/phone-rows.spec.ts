// On phones, rows of lists are low, so that several are visible at once.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
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

const PHONE = { width: 360, height: 780, touch: true };
const MOST_PIXELS = 120;

const OF_CUSTOMERS = [
  '/static-residential-proxies/proxy-list',
  '/static-residential-proxies/replaced',
  '/residential-proxies/users',
  '/order',
  '/billing/transactions',
  '/referrals',
  '/my-account/password',
  '/my-account/webhooks',
];
const OF_OPERATORS = ['/operator/orders', '/operator/accounts', '/operator/proxy-servers'];

test.each([
  ['en', 'customer@example.com', OF_CUSTOMERS],
  ['zh', 'customer@example.com', OF_CUSTOMERS],
  ['en', 'operator@example.com', OF_OPERATORS],
  ['zh', 'operator@example.com', OF_OPERATORS],
] as const)('rows of lists are at most 120 px high: %s, %s', async (language, email, paths) => {
  const customer = await Customer.comesBack(shop, browser, language, email, PHONE);
  const rows = customer.page.locator('main ul[aria-label] > li:not(:has(article))');
  for (const path of paths) {
    await customer.opens(path);
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect([path, heights.filter((height) => height > MOST_PIXELS)]).toEqual([path, []]);
  }
});
