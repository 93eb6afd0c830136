// Every screen under axe's rules, wide and narrow, light and dark.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_SCREENS, SCREENS } from './screens';
import { openBrowser, Shop, signIn, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each([
  { width: 1600, dark: false, language: 'en' },
  { width: 360, dark: true, language: 'zh' },
] as const)('no screen breaks a rule at $width px, dark: $dark, in $language', async ({ width, dark, language }) => {
  const { page, context, problems } = await visit(browser, language, { width, dark });
  const broken: string[] = [];
  const check = async (name: string, path: string) => {
    await page.goto(`${shop.url}${path}?lang=${language}`.replace(/\?(.*)\?/, '?$1&'));
    await page.waitForLoadState('networkidle');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, help, nodes } of violations) {
      broken.push(
        `${name}: ${id}, ${help}: ${nodes
          .map((node) => node.target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
      );
    }
  };
  for (const [name, path] of Object.entries(OPEN_SCREENS)) await check(name, path);
  await signIn(page, shop, language, 'customer@example.com');
  for (const [name, path] of Object.entries(SCREENS)) await check(name, path);
  expect(broken).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});
