// Breadcrumbs above a screen's title.
import type { Browser } from 'playwright-core';
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
const PHONE = { width: 360, height: 780 };

const line = (who: Customer) => who.page.getByRole('navigation', { name: who.text('common:breadcrumbs') });
/** Text of the breadcrumbs. */
const steps = (who: Customer) => line(who).getByRole('listitem').allInnerTexts();
/** Waits for an order and its texts. */
const orderIsThere = (who: Customer) => who.heading(who.text('orders:timeline')).waitFor();
const nav = (who: Customer, ...keys: string[]) => keys.map((key) => who.text(`nav:${key}`));

test.each(inTurn(LANGUAGES))('an order has breadcrumbs that link to the list: %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, EMAIL);
  const { page } = customer;
  await customer.opens('/order');
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await orderIsThere(customer);
  expect(await steps(customer)).toHaveLength(2);
  const [screen = '', opened] = await steps(customer);
  expect([screen]).toEqual(nav(customer, 'orders'));
  expect(await line(customer).locator('[aria-current="page"]').innerText()).toBe(opened);
  const top = (await line(customer).boundingBox())?.y ?? 0;
  expect(top).toBeLessThan((await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 0);
  await line(customer).getByRole('link', { name: screen, exact: true }).click();
  await customer.heading(customer.text('orders:title')).waitFor();
  expect(new URL(page.url()).search).not.toContain('OrderId');
  expect(await line(customer).count()).toBe(0);
});

test("the keyboard reaches the list's link above an order", async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/order?OrderId=1');
  await orderIsThere(customer);
  const [screen = ''] = await steps(customer);
  await page.locator('main').focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.locator(':focus').innerText()).toBe(screen);
  await page.keyboard.press('Enter');
  await customer.heading(customer.text('orders:title')).waitFor();
});

test('the layout does not shift when the name of the open item arrives', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  let answer = () => {};
  const mayCome = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/Order/GetOrder', async (route) => {
    await mayCome;
    await route.continue();
  });
  await customer.opens('/order?OrderId=1');
  await expect.poll(() => steps(customer)).toHaveLength(1);
  const title = page.getByRole('heading', { level: 1 });
  const before = await title.boundingBox();
  answer();
  await orderIsThere(customer);
  expect(await steps(customer)).toHaveLength(2);
  expect((await title.boundingBox())?.y).toBe(before?.y);
});

test('on a phone an open item only links to its list', async () => {
  const customer = await Customer.comesBack(shop, browser, 'zh', EMAIL, PHONE);
  await customer.opens('/order?OrderId=1');
  await orderIsThere(customer);
  const links = line(customer).getByRole('link');
  await expect.poll(() => links.allInnerTexts()).toEqual(nav(customer, 'orders'));
  await links.click();
  await customer.heading(customer.text('orders:title')).waitFor();
  await expect.poll(() => line(customer).count()).toBe(0);
});

test.each(inTurn(LANGUAGES))(
  'screens of a section have one line of breadcrumbs, also on a phone: %s',
  async (language) => {
    const customer = await Customer.comesBack(shop, browser, language, EMAIL, PHONE);
    for (const [path, ...keys] of [
      ['/my-account/api-keys', 'my-account', 'api-keys'],
      ['/residential-proxies/endpoint-generator', 'residential-proxies', 'endpoint-generator'],
      ['/static-residential-proxies/order', 'static-residential-proxies', 'order'],
      ['/welcome/products', 'welcome', 'products'],
    ] as const) {
      await customer.opens(path);
      await expect.poll(() => steps(customer)).toEqual(nav(customer, ...keys));
      // Found and measured at one moment: when its data is there, a screen replaces what was shown while it loaded.
      const measured = await customer.page.evaluate((label) => {
        const nav = document.querySelector(`nav[aria-label="${label}"]`);
        const items = [...(nav?.querySelectorAll('li > :is(a, span)') ?? [])];
        return [items.filter((one) => one.scrollWidth > one.clientWidth).length, nav?.getBoundingClientRect().height];
      }, customer.text('common:breadcrumbs'));
      expect([path, ...measured]).toEqual([path, 0, 24]);
    }
    await customer.opens('/referrals');
    await customer.heading(customer.text('referrals:title')).waitFor();
    expect(await line(customer).count()).toBe(0);
  },
);

test("an operator's screens, and a customer's order on them", async () => {
  const operator = await Customer.comesBack(shop, browser, 'en', 'operator@example.com');
  const { page } = operator;
  await operator.opens('/operator/accounts');
  await expect.poll(() => steps(operator)).toEqual(nav(operator, 'operator', 'operator-accounts'));
  // The section leads to its first screen.
  await line(operator).getByRole('link').click();
  await operator.heading(operator.text('business:title')).waitFor();
  await operator.opens('/operator/orders');
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await orderIsThere(operator);
  expect(await steps(operator)).toHaveLength(3);
  const ways = line(operator).getByRole('link');
  expect(await ways.allInnerTexts()).toEqual(nav(operator, 'operator', 'operator-orders'));
  await ways.last().click();
  await operator.heading(operator.text('orders:operator.all')).waitFor();
});
