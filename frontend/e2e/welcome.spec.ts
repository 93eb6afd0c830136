// The welcome screens: first steps, renewing what expires soon, and proxies at a glance.
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

test.each(inTurn(LANGUAGES))('proxies that expire soon link to their renewal, in %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, EMAIL);
  const { page } = customer;
  const text = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`welcome:${key}`, parameters);
  await customer.opens('/welcome');
  await customer.heading(text('title')).waitFor();
  await page.getByText(text('endings.soon_other', { count: 3, Days: 7 })).waitFor();
  const figure = page
    .getByRole('main')
    .getByRole('link', { name: text('figure.endingSoon_other', { count: 3, Days: 7 }) });
  expect(await figure.textContent()).toContain('10');
  await page.getByRole('table', { name: text('endings.chart') }).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: text('endings.renew_other', { count: 3 }) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$15.00').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(customer.text('common:range', { From: 1, To: 3, Total: 3 })).waitFor();
});

test.each(inTurn(LANGUAGES))('proxies at a glance, by status, plan and country, in %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, EMAIL);
  const { page } = customer;
  const text = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`welcome:${key}`, parameters);
  await customer.opens('/welcome/proxies');
  await customer.heading(text('proxies.title')).waitFor();
  const countOf = async (name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .locator('strong')
      .textContent();
  expect(await countOf(text('proxies.state.soon', { Days: 7 }))).toBe('3');
  expect(await countOf(text('proxies.state.active'))).toBe('7');
  expect(await countOf({ en: 'Japan', zh: '日本' }[language])).toBe('2');
  await page.getByRole('table', { name: text('used.chart') }).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: { en: 'Germany', zh: '德国' }[language], exact: true }).click();
  await page.getByText(customer.text('common:range', { From: 1, To: 3, Total: 3 })).waitFor();
});

test('a new customer sees the first steps, and can hide them', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.signsUp();
  await customer.opens('/welcome/products');
  await page.getByText(customer.text('welcome:steps.done', { Done: 0, Of: 4 })).waitFor();
  await page.getByText(customer.text('welcome:products.none')).waitFor();
  await page.getByRole('link', { name: customer.text('welcome:steps.top_up') }).click();
  await customer.heading(customer.text('billing:wallet.title')).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: customer.text('welcome:steps.hide') }).click();
  await page.reload();
  await page.getByText(customer.text('welcome:products.none')).waitFor();
  expect(await page.getByText(customer.text('welcome:steps.title')).count()).toBe(0);
});
