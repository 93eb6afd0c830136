// Every screen under axe's rules, wide and narrow, light and dark.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingTour, comesAs, EVERYTHING, OPEN_SCREENS, operatorTour, resellerTour, SCREENS } from './screens';
import { openBrowser, Shop, signIn, texts, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(EVERYTHING), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const WINDOWS = [
  { width: 1600, dark: false, language: 'en' },
  { width: 360, dark: true, language: 'zh' },
] as const;

/** The rules that what is on the page breaks, and where. */
async function brokenOn(page: Page, name: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map((node) => node.target.join(' '));
    return `${name}: ${id}, ${help}: ${places.slice(0, 3).join(' | ')}`;
  });
}

test.each(WINDOWS)('no screen breaks a rule at $width px, dark: $dark, in $language', async (window) => {
  const { width, dark, language } = window;
  const { page } = await visit(browser, language, { width, dark });
  const broken: string[] = [];
  const check = async (name: string, path: string) => {
    await page.goto(`${shop.url}${path}?lang=${language}`.replace(/\?(.*)\?/, '?$1&'));
    await page.waitForLoadState('networkidle');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    broken.push(...(await brokenOn(page, name)));
  };
  for (const [name, path] of Object.entries(OPEN_SCREENS)) await check(name, path);
  await signIn(page, shop, language, 'customer@example.com');
  for (const [name, path] of Object.entries(SCREENS)) await check(name, path);
  expect(broken).toEqual([]);
});

test.each(WINDOWS)('no bill, price or desk breaks a rule at $width px, dark: $dark, in $language', async (window) => {
  const { width, dark, language } = window;
  const { page } = await visit(browser, language, { width, dark });
  const broken: string[] = [];
  const show = async (name: string) => {
    await page.waitForLoadState('networkidle');
    broken.push(...(await brokenOn(page, name)));
  };
  const tour = { page, shop, language, show };
  await signIn(page, shop, language, 'customer@example.com');
  await billingTour(tour);
  await comesAs(tour, 'reseller@example.com');
  await resellerTour(tour);
  await comesAs(tour, 'operator@example.com');
  await operatorTour(tour);
  expect(broken).toEqual([]);
});

test.each(WINDOWS)('no dialog about proxies breaks a rule at $width px, dark: $dark, in $language', async (window) => {
  const { width, dark, language } = window;
  const { page } = await visit(browser, language, { width, dark });
  const t = texts(language, 'static_residential_proxies');
  const broken: string[] = [];
  await signIn(page, shop, language, 'customer@example.com');
  await page.goto(`${shop.url}${SCREENS['proxy-list']}`);
  // On a wide screen the first box is the header's.
  await page.getByRole('main').getByRole('checkbox').nth(1).check();
  broken.push(...(await brokenOn(page, 'selection')));
  const bar = page.getByRole('toolbar');
  const dialog = page.getByRole('dialog');
  for (const action of ['renew', 'autoRenew', 'switch', 'group', 'note', 'credentials', 'export']) {
    const name = t(`action.${action}`);
    const opener = bar.getByRole('button', { name: width > 768 ? name : t('list.actions'), exact: true });
    await opener.click();
    if (width <= 768) await page.getByRole('menuitem', { name, exact: true }).click();
    await dialog.waitFor();
    await page.waitForLoadState('networkidle');
    broken.push(...(await brokenOn(page, action)));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement), { message: action })
      .toBe(true);
  }
  expect(broken).toEqual([]);
});
