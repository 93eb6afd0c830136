// axe checks of every screen, wide and narrow, light and dark.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, inWindows } from './axe';
import { signIn } from './prepare';
import { EVERYTHING, OPEN_SCREENS, SCREENS } from './screens';
import { openBrowser, Shop, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(EVERYTHING), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Screens per test. */
const AT_ONCE = 8;

/** Visitors' and customers' screens, in chunks. */
const own = Object.entries(SCREENS);
const PARTS = [
  { part: 'of anybody', email: undefined, screens: Object.entries(OPEN_SCREENS) },
  ...Array.from({ length: Math.ceil(own.length / AT_ONCE) }, (_, part) => {
    const screens = own.slice(part * AT_ONCE, (part + 1) * AT_ONCE);
    return { part: `of a customer from ${screens[0]?.[0]} on`, email: 'customer@example.com', screens };
  }),
];

test.each(inWindows(PARTS))(
  'screens $part pass axe at $width px, dark: $dark, in $language',
  async ({ width, dark, language, email, screens }) => {
    const { page, problems } = await visit(browser, language, { width, dark });
    const violations: string[] = [];
    if (email) await signIn(page, shop, language, email);
    for (const [name, path] of screens) {
      await page.goto(`${shop.url}${path}?lang=${language}`.replace(/\?(.*)\?/, '?$1&'));
      await page.waitForLoadState('networkidle');
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      violations.push(...(await axeViolations(page, name)));
      // It is answered with 404, which browsers log.
      if (name === 'not-found') problems.splice(0);
    }
    expect(violations).toEqual([]);
  },
);
