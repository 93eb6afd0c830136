// Order form and order: the form keeps its state, and an order leads to what was bought.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, FRANKFURT, NEW_YORK } from './customer';
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

const EMAIL = 'customer@example.com';
const ADDRESS = /^127\.(16|17)(\.\d+){2}$/;

test.each(inTurn(LANGUAGES))('an order shows what was bought, and links to it, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.opensOrderForm();
  await customer.wants(FRANKFURT, 2);
  await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
  await page.waitForURL(/\/order\?OrderId=\d+/);
  await customer.sees(customer.text('orders:nodesOf_other'));
  const ips = await page.getByRole('main').getByText(ADDRESS).allInnerTexts();
  expect(ips).toHaveLength(2);
  const head = page.getByRole('heading', { level: 1 });
  const plan = { en: 'Regular', zh: '普通' }[language];
  await expect
    .poll(() => head.innerText())
    .toContain(customer.text('orders:summary.ips_other', { count: 2, Tier: plan }));
  const ends = new Date(shop.now().getTime() + 30 * 86_400_000);
  const day = dayOf(ends);
  await expect.poll(() => head.innerText()).toContain(customer.text('orders:summary.until', { Date: day }));
  await page.getByRole('button', { name: customer.text('orders:copyIps') }).click();
  await customer.sees(customer.text('orders:ipsCopied_other', { count: 2 }));
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n').sort()).toEqual([...ips].sort());
  const number = /PO\w{10}/.exec(await page.title())?.[0] ?? '';

  // Only these, of three.
  await page.getByRole('link', { name: customer.text('orders:toProxyList') }).click();
  await customer.rows(2);
  expect(new URL(page.url()).searchParams.get('OrderNumber')).toBe(number);
  await page.getByRole('main').getByRole('checkbox').first().check();
  const bar = page.getByRole('toolbar', { name: customer.text('common:selection') });
  // Copying comes first.
  const actions = bar.getByRole('button');
  await actions
    .filter({ hasText: customer.own('action.renew') })
    .first()
    .waitFor();
  const names = await actions.allInnerTexts();
  expect(names.slice(0, names.indexOf(customer.own('action.renew'))).slice(-2)).toEqual(
    ['copy', 'copyAs'].map((action) => customer.own(`action.${action}`)),
  );
  await bar.getByRole('button', { name: customer.own('action.copy'), exact: true }).click();
  const lines = () => page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(async () => (await lines()).split('\n').every((line) => /^127[\d.]+:17000:\w+:\w+$/.test(line)))
    .toBe(true);
  expect((await lines()).split('\n')).toHaveLength(2);
  await bar.getByRole('button', { name: customer.text('common:selectNone') }).click();
  await page.getByRole('button', { name: new RegExp(number) }).click();
  await customer.rows(3);

  // The order is found by its number in the transactions.
  await customer.goesTo('orders');
  await page.getByRole('searchbox', { name: customer.text('orders:search') }).fill(number.slice(4).toLowerCase());
  await customer.rows(1);
  await page.getByRole('link', { name: number }).waitFor();

  // An email confirms it, in the user's language.
  await page.goto(`${shop.url}/demo/mail?view=text`);
  const subject = customer.text('mail:purchased.subject_other', { Shop: 'Postern', OrderNumber: number, Count: 2 });
  const mail = page.getByRole('listitem').filter({ hasText: subject });
  for (let attempt = 0; attempt < 20 && (await mail.count()) === 0; attempt += 1) {
    await page.waitForTimeout(500);
    await page.reload();
  }
  await expect.poll(() => mail.innerText()).toContain('$10.00');
});

test.each([1600, 2400])('status, expiry and auto-renew of the proxy list are visible at %d px', async (width) => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL, { width });
  const { page } = customer;
  await customer.opens('/static-residential-proxies/proxy-list');
  await page.getByRole('gridcell').first().waitFor();
  const actions = await page.getByRole('columnheader', { name: customer.own('list.actions') }).boundingBox();
  const shown = ['ip', 'credentials', 'place', 'state', 'expires', 'autoRenew', 'groupAndNote'];
  if (width > 2000) {
    // The optional column fits, too.
    await customer.showsColumn(customer.own('list.tier'));
    shown.push('tier');
  }
  for (const key of shown) {
    const head = page.getByRole('columnheader', { name: customer.own(`list.${key}`), exact: true });
    const box = await head.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0), key).toBeLessThanOrEqual((actions?.x ?? 0) + 1);
  }
  // The list takes the full width.
  expect((actions?.x ?? 0) + (actions?.width ?? 0)).toBeGreaterThan(width - 60);
});

test('an expiry is relative, amber when it is near, and shows its time on hover and on focus', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/static-residential-proxies/proxy-list');
  const expiry = page
    .getByRole('gridcell')
    .getByRole('button', { name: /^in \d+ days$/ })
    .first();
  // Its day is below it.
  await expect(expiry.locator('xpath=..').innerText()).resolves.toMatch(/\d{4}-\d\d-\d\d$/);
  await expiry.hover();
  const told = page.getByRole('tooltip');
  await expect.poll(() => told.innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await page.mouse.move(5, 5);
  await told.waitFor({ state: 'detached' });
  await expiry.focus();
  await told.waitFor();
  await expect.poll(() => expiry.getAttribute('data-tone')).toBeNull();
  const address = page.url();
  await page.clock.setFixedTime(Date.now() + 14 * 86_400_000);
  await page.goto(address);
  const soon = page
    .getByRole('gridcell')
    .getByRole('button', { name: /^in [1-7] days$/ })
    .first();
  await soon.waitFor();
  await expect.poll(() => soon.getAttribute('data-tone')).toBe('warn');
});

test('the calculator passes on its quantity, another plan keeps the cities, and a line can be removed from the summary', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/static-residential-proxies/pricing');
  await page.getByRole('radio', { name: customer.own('pricing.ips_other', { count: 20 }) }).check({ force: true });
  const plans = page.getByRole('table', { name: customer.own('pricing.compare') });
  await expect.poll(() => plans.innerText()).toContain('$97.00');
  const quantity = page.getByLabel(customer.own('pricing.quantity'), { exact: true });
  await quantity.fill('1.5');
  await customer.sees(customer.own('pricing.wholeNumber'));
  await expect
    .poll(() => page.getByRole('button', { name: customer.own('pricing.orderThese') }).isDisabled())
    .toBe(true);
  await quantity.fill('5');
  await page.getByRole('button', { name: customer.own('pricing.orderThese') }).click();
  await customer.sees(customer.own('order.wanted_other', { count: 5, Left: 5 }));
  await customer.wants(NEW_YORK, 3);
  await customer.sees(customer.own('order.wanted_other', { count: 5, Left: 2 }));
  await customer.wants(FRANKFURT, 2);
  await page.getByRole('radio', { name: /^Premium/ }).check({ force: true });
  const summary = page.getByRole('complementary', { name: customer.text('orders:quote.summary') });
  await summary.getByText('New York × 3').waitFor();
  await summary.getByText('Frankfurt × 2').waitFor();
  expect(new URL(page.url()).searchParams.get('plan')).toBe('premium ISP proxies plan');
  await summary.getByRole('button', { name: customer.own('order.removeLine', { Place: 'New York' }) }).click();
  await expect.poll(() => summary.getByText('New York').count()).toBe(0);
  await expect.poll(() => page.getByRole('textbox', { name: 'New York', exact: true }).inputValue()).toBe('0');
});

test('billing renews a plan, and shows the next charge', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
  await customer.goesTo('billing', 'billing-products');
  await customer.sees(customer.text('billing:products.noCharge'));
  await page.getByRole('switch', { name: customer.text('billing:products.autoRenew') }).check();
  await customer.sees('$10.00');
  await customer.sees(customer.text('billing:products.nextChargeOf_other', { count: 2 }));
  await page.getByRole('link', { name: customer.text('billing:products.renew'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: customer.own('renew.title_other', { count: 2 }) });
  await dialog.getByText('$10.00').first().waitFor();
  await dialog.getByRole('button', { name: customer.own('renew.submit') }).click();
  await page.waitForURL(/\/order\?OrderId=\d+/);
});

/** Eight for proxies, and fourteen for a year's traffic. */
const DEMO_PURCHASES = 22;

test('filters and dates of a list survive a reload and back navigation', async () => {
  const customer = await Customer.comesBack(shop, browser, 'zh', EMAIL);
  const { page } = customer;
  await customer.opens('/billing/transactions?From=2020-01-01&To=2099-12-31');
  await page.getByRole('combobox', { name: customer.text('billing:transactions.what') }).selectOption('purchase');
  await customer.rows(DEMO_PURCHASES);
  await page.reload();
  await customer.rows(DEMO_PURCHASES);
  await expect
    .poll(() => page.getByPlaceholder(customer.text('billing:transactions.range')).inputValue())
    .toContain('2020-01-01');
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await customer.sees(customer.text('orders:contents'));
  await page.goBack();
  await customer.rows(DEMO_PURCHASES);
  expect(new URL(page.url()).searchParams.get('Kind')).toBe('purchase');
});
