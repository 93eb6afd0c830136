// After a switch, an order, its proxies in the list and a refund of it name the same IPs, and the order says what replaced what.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, FRANKFURT } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

const ADDRESS = /^127\.(16|17)(\.\d+){2}$/;

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each(inTurn(LANGUAGES))('the order follows a switched IP, for customer and operator, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[FRANKFURT, 2]], '50.00');
  const order = page.url();
  const bought = (await page.getByRole('main').getByText(ADDRESS).allInnerTexts()).sort();
  expect(bought).toHaveLength(2);
  const orderNumber = (await page.title()).match(/PO\w{10}/)?.[0] ?? '';

  await customer.opensProxyList();
  await customer.rows(2);
  await customer.selects(1);
  const dialog = await customer.begins('switch');
  await dialog.getByRole('button', { name: customer.own('switch.submit_one', { count: 1 }) }).click();
  await page.getByRole('dialog', { name: customer.own('switch.done_one', { count: 1 }) }).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: customer.text('common:done') })
    .click();
  await customer.rows(2);
  const shown = async () => (await page.getByRole('main').getByText(ADDRESS).allInnerTexts()).sort();
  await expect.poll(shown).not.toEqual(bought);
  const current = await shown();
  const old = bought.find((ip) => !current.includes(ip)) ?? '';
  const replacement = current.find((ip) => !bought.includes(ip)) ?? '';

  await page.goto(order);
  const replaced = page.getByRole('listitem').filter({ hasText: old });
  await replaced.getByText(replacement, { exact: true }).waitFor();
  expect(await replaced.innerText()).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
  await page.getByRole('button', { name: customer.text('orders:copyIps') }).click();
  await customer.sees(customer.text('orders:ipsCopied_other', { count: 2 }));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n').sort()).toEqual(current);

  await page.getByRole('link', { name: customer.text('orders:toProxyList') }).click();
  await customer.rows(2);
  expect(await shown()).toEqual(current);

  const desk = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  await desk.opens(`/operator/orders?OrderNumber=${orderNumber}`);
  await desk.page.getByRole('button', { name: desk.text('orders:refund.open'), exact: true }).click();
  const refund = desk.page.getByRole('dialog');
  for (const ip of current) await refund.getByText(ip, { exact: true }).first().waitFor();
  expect(await refund.getByText(old, { exact: true }).count()).toBe(0);
});
