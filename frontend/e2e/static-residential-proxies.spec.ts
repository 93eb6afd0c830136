// A new customer signs up, tops up, buys three IPs in two cities, and finds them in the list.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, FRANKFURT, NEW_YORK } from './customer';
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

test.each(inTurn(LANGUAGES))('a new customer buys three Regular IPs from the wallet, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  await customer.hasBalance('$0.00');

  await customer.beginsTopUp('100.00');
  await expect.poll(() => page.locator('body').innerText()).toContain('$100.00');
  await customer.tellsBankTo('approve');
  await customer.seesTopUp('100.00');
  await customer.hasBalance('$100.00');

  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 2);
  await customer.wants(FRANKFURT, 1);
  const summary = page.getByRole('complementary', {
    name: customer.text('orders:quote.summary'),
  });
  await expect.poll(() => summary.innerText()).toContain(`${FRANKFURT[language]} × 1`);
  const summed = await summary.innerText();
  expect(summed).toContain(`${NEW_YORK[language]} × 2`);
  expect(summed).toContain('$15.00');
  expect(summed).toContain('$85.00');
  await customer.placesOrder();
  await customer.unpaidOrders(1).waitFor();

  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$85.00');
  await expect.poll(() => customer.unpaidOrders(1).count()).toBe(0);

  await page.getByRole('link', { name: customer.text('orders:toProxyList') }).click();
  await customer.heading(customer.text('static_residential_proxies:list.title')).waitFor();
  const proxies = await customer.rows(3);
  expect(proxies).toHaveLength(3);
  expect(proxies.filter((row) => row.includes(NEW_YORK[language]))).toHaveLength(2);
  expect(proxies.filter((row) => row.includes(FRANKFURT[language]))).toHaveLength(1);
  for (const row of proxies) expect(row).toContain('••••••••');

  const [copies = ''] = customer.text('static_residential_proxies:list.copyLine').split('{{Ip}}');
  await page
    .getByRole('button', { name: new RegExp(`^${copies}\\d`) })
    .first()
    .click();
  await customer.sees(customer.text('common:copied'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^127\.(16|17)(\.\d+){2}:\d+:\w+:\w+$/);

  await page.reload();
  expect(await customer.rows(3)).toHaveLength(3);
});

test('an order above the stock is refused at its city, and nothing is held', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const other = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  // The hold limit grows with the wallet balance.
  await customer.topsUp('500.00');
  await other.joins();
  await customer.opensOrderForm();
  const stock = await customer.stockOf(NEW_YORK);
  await customer.wants(NEW_YORK, stock);
  await other.opensOrderForm();
  await other.wants(NEW_YORK, 1);
  await other.placesOrder();

  await customer.page.getByRole('button', { name: customer.text('orders:quote.place') }).click();
  await customer.sees(customer.text('errors:outOfStockInCity', { Available: stock - 1, CityName: NEW_YORK.en }));
  // The row beside it shows the error too.
  await expect.poll(() => customer.stockOf(NEW_YORK)).toBe(stock - 1);
  await expect.poll(() => customer.unpaidOrders(1).count()).toBe(0);
});
