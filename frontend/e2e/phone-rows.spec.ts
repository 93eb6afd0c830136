// On phones, rows of lists are low, so that several are visible at once.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn } from './languages';
import { makeTransfers } from './prepare';
import { EVERYTHING } from './screens';
import { answerWithCases, answerWithReturns } from './sellerScreens';
import { openBrowser, Shop } from './shop';

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

const PHONE = { width: 360, height: 780, touch: true };
const MOST_PIXELS = 120;

/** Addresses, and the names of their lists. */
const OF_CUSTOMERS = {
  '/static-residential-proxies/proxy-list': 'static_residential_proxies:list.title',
  '/static-residential-proxies/replaced': 'static_residential_proxies:replaced.title',
  '/residential-proxies/users': 'proxy_users:title',
  '/order': 'orders:title',
  '/billing/transactions': 'billing:transactions.title',
  '/referrals': 'referrals:commissions.title',
  '/my-account/password': 'account:log.entries',
  '/my-account/webhooks': 'webhooks:deliveries.title',
};
const OF_OPERATORS = {
  '/operator/orders': 'orders:operator.all',
  '/operator/accounts': 'accounts:title',
  '/operator/proxy-servers': 'proxy_servers:title',
  '/operator/proxy-servers?view=rejected': 'proxy_servers:view.rejected',
  '/operator/referrals': 'referrals:operator.reviews',
  '/operator/audit-log': 'audit:title',
  '/operator/payments': 'payments:view.all',
  '/operator/payments?view=transfers': 'payments:view.transfers',
  '/operator/payments?view=cases': 'payments:view.cases',
  '/operator/payments?view=returns': 'payments:view.returns',
  '/operator/payments?view=callbacks': 'payments:view.callbacks',
  '/operator/invoices': 'payments:invoices.title',
  '/operator/inventory?State=assigned': 'inventory:view.nodes',
  '/operator/inventory?view=stock': 'inventory:view.stock',
  '/operator/coupons': 'coupons:title',
  '/operator/mails': 'mails:view.list',
};

test.each([
  ...inTurn([
    ['en', 'customer@example.com', OF_CUSTOMERS],
    ['zh', 'customer@example.com', OF_CUSTOMERS],
  ] as const),
  ...inTurn([
    ['en', 'operator@example.com', OF_OPERATORS],
    ['zh', 'operator@example.com', OF_OPERATORS],
  ] as const),
])('rows of lists are at most 120 px high: %s, %s', async (language, email, lists) => {
  const customer = await Customer.comesBack(shop, browser, language, email, PHONE);
  await answerWithCases(customer.page);
  await answerWithReturns(customer.page);
  for (const [path, name] of Object.entries(lists)) {
    await customer.opens(path);
    const rows = customer.page.getByRole('list', { name: customer.text(name), exact: true }).getByRole('listitem');
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect([path, heights.filter((height) => height > MOST_PIXELS)]).toEqual([path, []]);
  }
});
