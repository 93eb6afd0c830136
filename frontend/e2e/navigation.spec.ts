// Error and redirect screens always offer a way back.
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

const EMAIL = 'customer@example.com';
const LATE_TEXTS_MS = 1_000;

test.each(inTurn(LANGUAGES))('the collapsed sidebar has flyouts, which move nothing, in %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, EMAIL, { width: 1400 });
  const { page } = customer;
  await customer.opens('/order');
  const sidebar = page.getByRole('navigation', { name: customer.text('nav:navigation') });
  const help = sidebar
    .getByRole('button', { name: customer.text('nav:help-center') })
    .or(sidebar.getByRole('link', { name: customer.text('nav:help-center') }));
  await help.first().waitFor();
  const before = await help.first().boundingBox();
  expect(before).not.toBeNull();
  // The shop's mark is there.
  await sidebar.getByText('Postern').first().waitFor({ state: 'attached' });
  const billing = sidebar.getByRole('link', { name: customer.text('nav:billing'), exact: true });
  const wallet = sidebar.getByRole('link', { name: customer.text('nav:billing-wallet'), exact: true });
  await billing.hover();
  await wallet.waitFor();
  expect(await help.first().boundingBox()).toEqual(before);
  await wallet.click();
  await page.waitForURL('**/billing/wallet');
  await wallet.waitFor({ state: 'detached' });
  // By keyboard too: it opens on focus, and Escape closes it.
  await page.mouse.move(700, 500);
  await billing.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await wallet.waitFor();
  await page.keyboard.press('Escape');
  await wallet.waitFor({ state: 'detached' });
  await billing.click();
  await page.waitForURL('**/billing/products');
});

test('the sidebar stays as it was left, also before the scripts have loaded', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/billing/wallet');
  const sidebar = page.getByRole('navigation', { name: customer.text('nav:navigation') });
  const width = async () => (await sidebar.boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(150);
  await page.getByRole('button', { name: customer.text('common:collapseMenu') }).click();
  await expect.poll(width).toBeLessThan(80);
  const widths: number[] = [];
  await page.reload({ waitUntil: 'commit' });
  for (let look = 0; look < 20; look += 1) {
    if (await sidebar.first().isVisible()) widths.push(await width());
    await page.waitForTimeout(50);
  }
  expect(Math.max(...widths)).toBeLessThan(80);
  await page.getByRole('button', { name: customer.text('common:openMenu') }).click();
  await expect.poll(width).toBeGreaterThan(150);
  await customer.opens('/order');
  await expect.poll(width).toBeGreaterThan(150);
});

test('an unknown address shows the not-found screen within the layout', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  for (const path of ['/my-account/zzz', '/billing/zzz', '/static-residential-proxies/zzz', '/welcome/zzz']) {
    await customer.opens(path);
    await customer.heading(customer.text('common:notFound')).waitFor();
    await expect
      .poll(() => customer.page.getByRole('navigation', { name: customer.text('nav:navigation') }).count())
      .toBe(1);
    // It is answered with 404, which browsers log.
    for (const problem of customer.expectedProblems()) expect(problem).toContain('404');
  }
});

test('when the texts cannot be loaded, the page says so in both languages', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  const { page } = customer;
  await page.route('**/locales/**', (route) => route.abort('failed'));
  await customer.opens('/login');
  // After all retries.
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor({ timeout: 60_000 });
  await page.getByRole('heading', { name: '页面加载失败' }).waitFor();
  await page.unroute('**/locales/**');
  await page.getByRole('button', { name: /重试/ }).click();
  await customer.heading(customer.text('auth:login.title')).waitFor();
  expect(customer.expectedProblems().length).toBeGreaterThan(0);
});

test("while a screen's texts load, the frame around it stays", async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await page.route('**/locales/**', async (route) => {
    await page.waitForTimeout(LATE_TEXTS_MS);
    await route.continue();
  });
  // Checks every animation frame.
  await page.addInitScript(() => {
    const look = () => {
      // The page comes with frames for several widths.
      const frames = [...document.querySelectorAll('nav')];
      const seen = document.documentElement?.classList;
      if (frames.some((frame) => frame.checkVisibility())) seen.add('frame-was-seen');
      else if (seen?.contains('frame-was-seen')) seen.add('frame-was-gone');
      requestAnimationFrame(look);
    };
    look();
  });
  for (const [path, heading] of [
    ['/my-account/webhooks', 'webhooks:title'],
    ['/referrals', 'referrals:title'],
    ['/residential-proxies/pricing', 'residential_buy:pricing.title'],
  ] as const) {
    await customer.opens(path);
    await customer.heading(customer.text(heading)).waitFor();
    const seen = await page.evaluate(() => [...document.documentElement.classList]);
    expect([path, ...seen]).toEqual([path, 'frame-was-seen']);
  }
});

test('an open search keeps its input while the screen behind it loads its texts', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  let answer = () => {};
  const mayCome = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const isAsked = page.waitForRequest(/locales.*invoices/);
  await page.route(/locales.*invoices/, async (route) => {
    await mayCome;
    await route.continue();
  });
  await customer.opens('/order');
  // The search's texts are loaded already.
  const field = page.getByRole('combobox', { name: customer.text('search:title') });
  await page.getByRole('link', { name: /^PO/ }).first().waitFor();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await isAsked;
  await page.keyboard.type('wal', { delay: 100 });
  answer();
  await page.keyboard.type('let', { delay: 100 });
  expect(await field.inputValue()).toBe('wallet');
});

test('what is opened in the frame before the first screen has loaded stays open', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  let answer = () => {};
  const mayCome = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/assets\/WalletPage.*js/, async (route) => {
    await mayCome;
    await route.continue();
  });
  await customer.opens('/billing/wallet');
  await page.getByRole('button', { name: customer.text('common:language') }).click();
  const chinese = page.getByRole('menuitemradio', { name: '中文' });
  await chinese.waitFor();
  answer();
  await page
    .getByText(customer.text('billing:topUp.amount', { Currency: 'USD' }))
    .first()
    .waitFor({ state: 'attached' });
  expect(await chinese.isVisible()).toBe(true);
});

test('an error in one screen stays within it, and offers a way back', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  await customer.opens('/order');
  await page.getByRole('gridcell').first().waitFor();
  await page.route('**/api/Order/GetOrder', (route) => route.fulfill({ json: { Code: 1000, Message: '', Data: {} } }));
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await customer.heading(customer.text('common:screenFailed')).waitFor();
  await expect.poll(() => page.getByRole('navigation', { name: customer.text('nav:navigation') }).count()).toBe(1);
  expect(customer.expectedProblems().length).toBeGreaterThan(0);
  await page.getByRole('button', { name: customer.text('common:goBack') }).click();
  await customer.heading(customer.text('orders:title')).waitFor();
  await page.getByRole('gridcell').first().waitFor();
});

test('after signing in again, the user is back where they were', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', EMAIL);
  const { page } = customer;
  // A page without the app, which keeps its state of the user.
  await page.goto(`${shop.url}/demo/mail`);
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}');
    user.state.info.Token = 'gone';
    localStorage.setItem('user', JSON.stringify(user));
  });
  await page.goto(`${shop.url}/billing/transactions?Kind=purchase`);
  await page.waitForURL('**/login?redirect=**');
  await customer.fillsLogin(EMAIL, shop.passwordOf(EMAIL));
  await customer.heading(customer.text('billing:transactions.title')).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe('/billing/transactions?Kind=purchase');
  // The server does not know the token.
  const problems = customer.expectedProblems();
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
});

test('signing in does not redirect to the sign-in form', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  for (const wanted of ['/login', '/login?redirect=%2Flogin', '/sign-up/']) {
    await customer.page.goto(`${shop.url}/login?redirect=${encodeURIComponent(wanted)}`);
    await customer.fillsLogin(EMAIL, shop.passwordOf(EMAIL));
    await customer.page.getByRole('navigation').first().waitFor();
    expect(new URL(customer.page.url()).pathname).toBe('/welcome/products');
    await customer.signsOut();
  }
});

test('a successful top-up is announced once, and the balance does not look like a field', async () => {
  const customer = await Customer.arrives(shop, browser, 'zh');
  const { page } = customer;
  await customer.joins();
  await customer.topsUp('30.00');
  await expect.poll(() => new URL(page.url()).searchParams.has('PaymentId')).toBe(false);
  await page.reload();
  await customer.hasBalance('$30.00');
  await expect
    .poll(() => page.getByText(customer.text('billing:outcome.succeeded', { Amount: '$30.00' })).count())
    .toBe(0);

  await customer.opensOrderForm();
  await customer.wants(TOKYO, 1);
  await customer.placesOrder();
  const balance = page.getByRole('main').getByText('$30.00', { exact: true });
  // A screen being replaced by the next one has no styles any more.
  await expect.poll(() => balance.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('0px');
});
