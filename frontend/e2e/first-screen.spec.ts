// The prerendered screens: they look like the app's own, and no input is lost when the app takes over.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCREEN_HEADS } from '../src/app/screenHeads';
import { Customer, PASSWORD } from './customer';
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

/** Opens a page whose scripts are held back, except for the one that runs before the first paint; returns a function that releases them. */
async function opensWithoutScripts(customer: Customer, path: string): Promise<() => void> {
  let releaseScripts = () => {};
  const released = new Promise<void>((resolve) => {
    releaseScripts = resolve;
  });
  await customer.page.route('**/assets/start-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await customer.page.goto(`${shop.url}${path}`, { waitUntil: 'commit' });
  // Waits for the styles: without them nothing is painted, although the elements exist.
  await customer.page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
  return releaseScripts;
}

/** Position and text of everything that can be read or used. */
const layout = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, label, input, button, a, p, header span, footer, svg')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
      .map(({ element, box }) => [element.tagName, element.textContent, box.x, box.y, box.width, box.height].join(' ')),
  );

for (const language of inTurn(LANGUAGES)) {
  for (const width of [360, 1600]) {
    test(`nothing moves when the app takes over: ${language}, ${width} px`, async () => {
      const customer = await Customer.stands(shop, browser, language, 'customer@example.com', { width });
      const { page } = customer;
      const releaseScripts = await opensWithoutScripts(customer, `/login?lang=${language}`);
      await customer.heading(customer.text('auth:login.title')).waitFor();
      await page.evaluate(() => document.fonts.ready);
      const before = await layout(page);
      releaseScripts();
      await customer.isInTheApp();
      await page.waitForFunction(() => document.activeElement?.matches('input[type="email"]'));
      expect(before.length).toBeGreaterThan(10);
      expect(await layout(page)).toEqual(before);
    });
  }

  test(`input submitted before the scripts load signs in: ${language}`, async () => {
    const customer = await Customer.stands(shop, browser, language, 'customer@example.com');
    const { page } = customer;
    const wanted = '/billing/transactions';
    const releaseScripts = await opensWithoutScripts(
      customer,
      `/login?lang=${language}&redirect=${encodeURIComponent(wanted)}`,
    );
    await page.waitForFunction(() => document.activeElement?.matches('input[type="email"]'));
    await page.keyboard.type(customer.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(shop.passwordOf(customer.email));
    await page.keyboard.press('Enter');
    await page.locator('[aria-busy="true"]').waitFor();
    releaseScripts();
    await customer.heading(customer.text('billing:transactions.title')).waitFor();
    expect(new URL(page.url()).pathname).toBe(wanted);
  });
}

test('typed input and the focus are kept, and a wrong password is reported in place', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  const releaseScripts = await opensWithoutScripts(customer, '/login');
  const password = page.getByLabel(customer.text('auth:password'), { exact: true });
  await page.getByLabel(customer.text('auth:email'), { exact: true }).fill(customer.email);
  await password.fill(PASSWORD);
  releaseScripts();
  await customer.isInTheApp();
  expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await password.inputValue()).toBe(PASSWORD);
  await page.keyboard.press('Enter');
  await customer.sees(customer.text('errors:signInFailed'));
  expect(await page.getByLabel(customer.text('auth:email'), { exact: true }).inputValue()).toBe(customer.email);
});

test('a link and the language switch pressed before the scripts load are followed', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  let releaseScripts = await opensWithoutScripts(customer, '/login?redirect=%2Fbilling%2Fwallet');
  await page.getByRole('link', { name: customer.text('auth:login.signUp') }).click();
  releaseScripts();
  await customer.heading(customer.text('auth:signUp.title')).waitFor();
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/billing/wallet');
  await page.unrouteAll();
  releaseScripts = await opensWithoutScripts(customer, '/login');
  await page.getByRole('button', { name: '中文' }).click();
  releaseScripts();
  await customer.heading('登录').waitFor();
});

test('a signed-in user does not see it', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com');
  const releaseScripts = await opensWithoutScripts(customer, '/login');
  await customer.page.waitForFunction(() => document.readyState !== 'loading' || document.querySelector('#root h1'));
  expect(await customer.heading(customer.text('auth:login.title')).isVisible()).toBe(false);
  releaseScripts();
  await customer.page.getByRole('navigation').first().waitFor();
});

/** Text and position of what the prerendered frame and the screen have in common: the sidebar, the breadcrumbs, title and lead. */
const frameAndHead = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element) => element.getClientRects().length > 0;
    const titles = [...document.querySelectorAll('main h1')].filter(isShown);
    const head = titles[0]?.parentElement?.parentElement;
    const parts = [...document.querySelectorAll('nav a, nav button')].filter(
      (part) => isShown(part) && !part.closest('main'),
    );
    return [...parts, ...(head?.querySelectorAll('li, h1, :scope > p') ?? [])].map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      // Without the number of unread messages, and links after a lead.
      const text = part.tagName === 'P' ? part.firstChild : (part.querySelector('span') ?? part);
      return [part.tagName, text?.textContent, x, y, width, height].join(' ');
    });
  });

for (const [language, width, paths] of [
  ['en', 1280, Object.keys(SCREEN_HEADS)],
  ['zh', 360, ['/welcome/products', '/static-residential-proxies/proxy-list', '/my-account/api-keys']],
  ['zh', 1600, ['/welcome/proxies', '/billing/wallet']],
] as const) {
  test(`a user sees the frame and the screen's head before the scripts: ${language}, ${width} px`, async () => {
    const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com', { width });
    const { page } = customer;
    for (const path of paths) {
      const releaseScripts = await opensWithoutScripts(customer, path);
      await page.locator('h1:visible').waitFor();
      await page.evaluate(() => document.fonts.ready);
      const before = await frameAndHead(page);
      releaseScripts();
      await customer.isInTheApp();
      // What is announced as loading has been replaced.
      await page
        .getByRole('main')
        .getByRole('status', { name: customer.text('common:loading') })
        .first()
        .waitFor({ state: 'detached' });
      expect(await frameAndHead(page), path).toEqual(before);
      await page.unrouteAll();
    }
  });
}

test('a link and the search of the frame pressed before the scripts load are followed', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com', { width: 1600 });
  const { page } = customer;
  let releaseScripts = await opensWithoutScripts(customer, '/welcome/products');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: customer.text('nav:referrals') })
    .click();
  releaseScripts();
  await customer.heading(customer.text('referrals:title')).waitFor();
  await page.unrouteAll();
  releaseScripts = await opensWithoutScripts(customer, '/welcome/products');
  await page
    .getByRole('banner')
    .getByRole('button', { name: customer.text('nav:search') })
    .click();
  releaseScripts();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
});

test('an order is not preceded by the head of the list of orders', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com');
  const { page } = customer;
  await customer.opens('/order');
  await page.getByRole('link', { name: /^PO/ }).first().click();
  await customer.heading(customer.text('orders:timeline')).waitFor();
  const { pathname, search } = new URL(page.url());
  let releaseScripts = () => {};
  await page.route('**/assets/start-*.js', async (route) => {
    await new Promise<void>((released) => {
      releaseScripts = released;
    });
    await route.continue();
  });
  await page.goto(`${shop.url}${pathname}${search}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('[data-first-screen]'));
  expect(await page.locator('h1:visible').count()).toBe(0);
  releaseScripts();
  await customer.heading(customer.text('orders:timeline')).waitFor();
});

test("operators do not see customers' sidebar", async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'operator@example.com', { width: 1600 });
  const { page } = customer;
  const releaseScripts = await opensWithoutScripts(customer, '/welcome/products');
  await customer.heading(customer.text('welcome:title')).waitFor();
  const referrals = page.getByRole('link', { name: customer.text('nav:referrals') });
  expect(await referrals.isVisible()).toBe(false);
  releaseScripts();
  await customer.isInTheApp();
  await referrals.waitFor();
});

/** Layout shifts without input; 0.1 is what browsers still call good. */
const MOST_SHIFT = 0.05;

interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  value: number;
}

for (const width of [360, 1280]) {
  test(`little moves while the welcome screen loads, the sidebar included: ${width} px`, async () => {
    const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com', { width });
    const { page } = customer;
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as LayoutShift[]) if (!entry.hadRecentInput) shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${shop.url}/welcome/products`);
    await page.getByRole('navigation', { name: customer.text('welcome:quick.title') }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(MOST_SHIFT);
  });
}
