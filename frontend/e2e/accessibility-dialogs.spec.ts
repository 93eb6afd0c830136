// axe checks of dialogs, menus, the chat and form errors, wide and narrow, light and dark.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, WINDOWS } from './axe';
import { inTurn } from './languages';
import { signIn } from './prepare';
import {
  accountTour,
  billingTour,
  chatTour,
  conversationsTour,
  EVERYTHING,
  notificationsTour,
  operatorTour,
  resellerTour,
  SCREENS,
  searchTour,
  webhooksTour,
} from './screens';
import { sellerTour } from './sellerScreens';
import { openBrowser, Shop, texts, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(EVERYTHING), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const TOURS = [
  { who: 'a customer who pays', email: 'customer@example.com', tours: [billingTour] },
  {
    who: 'a customer who asks',
    email: 'customer@example.com',
    tours: [webhooksTour, chatTour, notificationsTour, searchTour],
  },
  { who: 'a reseller', email: 'reseller@example.com', tours: [resellerTour, accountTour] },
  { who: 'an operator', email: 'operator@example.com', tours: [operatorTour, conversationsTour] },
  { who: 'a seller', email: 'operator@example.com', tours: [sellerTour] },
];

test.each(TOURS.flatMap((tour) => inTurn(WINDOWS).map((window) => ({ ...window, ...tour }))))(
  'dialogs opened by $who pass axe at $width px, dark: $dark, in $language',
  async ({ width, dark, language, email, tours }) => {
    const { page } = await visit(browser, language, { width, dark });
    const violations: string[] = [];
    const show = async (name: string) => {
      // A frame that is replaced while it loads, as the preview of a mail is, keeps the page from ever being idle.
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      violations.push(...(await axeViolations(page, name)));
    };
    await signIn(page, shop, language, email);
    for (const tour of tours) await tour({ page, shop, language, show });
    expect(violations).toEqual([]);
  },
);

test.each(inTurn(WINDOWS))('dialogs about proxies pass axe at $width px, dark: $dark, in $language', async (window) => {
  const { width, dark, language } = window;
  const { page } = await visit(browser, language, { width, dark });
  const t = texts(language, 'static_residential_proxies');
  const violations: string[] = [];
  await signIn(page, shop, language, 'customer@example.com');
  await page.goto(`${shop.url}${SCREENS['proxy-list']}`);
  // On a wide screen the first checkbox is the header's.
  await page.getByRole('main').getByRole('checkbox').nth(1).check();
  violations.push(...(await axeViolations(page, 'selection')));
  const bar = page.getByRole('toolbar');
  const dialog = page.getByRole('dialog');
  for (const action of ['renew', 'autoRenew', 'switch', 'group', 'note', 'credentials', 'export']) {
    const name = t(`action.${action}`);
    const opener = bar.getByRole('button', { name: width > 768 ? name : t('list.actions'), exact: true });
    await opener.click();
    if (width <= 768) await page.getByRole('menuitem', { name, exact: true }).click();
    await dialog.waitFor();
    await page.waitForLoadState('networkidle');
    violations.push(...(await axeViolations(page, action)));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement), { message: action })
      .toBe(true);
  }
  expect(violations).toEqual([]);
});
