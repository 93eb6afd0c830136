// Signing in and out: redirects, language, and stored state.
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

const addressOf = (customer: Customer) => {
  const { pathname, search } = new URL(customer.page.url());
  return pathname + search;
};

test('a visitor is redirected to sign in, and then to the requested page', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const email = 'customer@example.com';
  await customer.page.goto(`${shop.url}/billing/transactions`);
  await customer.page.waitForURL('**/login?redirect=**');
  await customer.fillsLogin(email, 'not the password');
  await customer.sees(customer.text('errors:signInFailed'));
  await customer.fillsLogin(email, shop.passwordOf(email));
  await customer.heading(customer.text('billing:transactions.title')).waitFor();
  expect(addressOf(customer)).toBe('/billing/transactions');
});

test('signing in never redirects to another site', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const email = 'reseller@example.com';
  await customer.page.goto(`${shop.url}/login?redirect=${encodeURIComponent('//evil.example/')}`);
  await customer.fillsLogin(email, shop.passwordOf(email));
  await customer.page.getByRole('navigation').first().waitFor();
  expect(customer.page.url()).toBe(`${shop.url}/welcome/products`);
});

test('switching the language keeps the page, the choice is stored, and the lang parameter takes precedence', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  await customer.heading(customer.text('billing:wallet.title')).waitFor();
  await page.getByRole('button', { name: customer.text('common:language') }).click();
  await page.getByRole('menuitemradio', { name: '中文' }).click();
  await customer.heading('钱包').waitFor();
  expect(new URL(page.url()).pathname).toBe('/billing/wallet');
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
  await page.goto(`${shop.url}/billing/wallet`);
  await customer.heading('钱包').waitFor();
  await page.goto(`${shop.url}/billing/wallet?lang=en`);
  await customer.heading(customer.text('billing:wallet.title')).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('en');
});

test('marketing parameters are kept for the session, the invitation code until the next load', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await page.goto(`${shop.url}/sign-up?r=FRIEND22&utm_source=news&mediapartnerid=7`);
  await expect.poll(() => page.getByLabel(customer.text('auth:inviteCode')).inputValue()).toBe('FRIEND22');
  const kept = () => page.evaluate(() => ({ ...sessionStorage }));
  expect(await kept()).toMatchObject({ InviteCode: 'FRIEND22', utm_source: 'news', mediapartnerid: '7' });
  await page.goto(`${shop.url}/sign-up`);
  await page.getByLabel(customer.text('auth:inviteCode')).waitFor();
  expect(await kept()).not.toHaveProperty('InviteCode');
  expect(await kept()).toMatchObject({ utm_source: 'news', mediapartnerid: '7' });
});

test('signing out clears the user, the wallet and the plans, and back navigation leads nowhere', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  const { page } = customer;
  await customer.signsUp();
  await customer.hasBalance('$0.00');
  const stored = () => page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(' '));
  expect(await stored()).toContain(customer.email);
  expect(await stored()).toContain('WalletBalance');
  await customer.signsOut();
  const left = await stored();
  expect(left).not.toContain(customer.email);
  expect(left).not.toContain('Token');
  expect(left).not.toContain('WalletBalance');
  await page.goto(`${shop.url}/billing/wallet`);
  await page.waitForURL('**/login?redirect=**');
});

test('a forgotten password is reset through the emailed link, once', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins();
  await customer.signsOut();
  await page.getByRole('link', { name: customer.text('auth:login.forgot') }).click();
  await page.getByLabel(customer.text('auth:email'), { exact: true }).fill(customer.email);
  await page.getByRole('button', { name: customer.text('auth:passwordReset.submit') }).click();
  await customer.heading(customer.text('auth:passwordReset.sent')).waitFor();
  await customer.followsMailedLink('reset_password');
  await page.getByLabel(customer.text('auth:newPassword.label'), { exact: true }).fill('another staple 34');
  const link = page.url();
  await page.getByRole('button', { name: customer.text('auth:newPassword.submit') }).click();
  await page.getByRole('navigation').first().waitFor();
  await customer.signsOut();
  await customer.fillsLogin(customer.email, 'another staple 34');
  await page.getByRole('navigation').first().waitFor();
  await customer.signsOut();
  await page.goto(link);
  await page.getByLabel(customer.text('auth:newPassword.label'), { exact: true }).fill('a third staple 56');
  await page.getByRole('button', { name: customer.text('auth:newPassword.submit') }).click();
  await customer.sees(customer.text('errors:linkExpired'));
});
