// Ticking rows one after another: nothing that appears moves or covers the next checkbox.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOBILE_MAX_WIDTH, SIDEBAR_OPEN_MIN_WIDTH } from '../src/core/constants.gen';
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

const LISTS = ['/static-residential-proxies/proxy-list', '/residential-proxies/users'];
const WINDOWS = [
  { language: 'en', width: 1280, hasSidebar: true },
  { language: 'en', width: 800, hasSidebar: false },
  { language: 'zh', width: 1600, hasSidebar: true },
  { language: 'zh', width: 360, hasSidebar: false },
] as const;

test.each(WINDOWS)('rows stay where they are while they are ticked, $width px in $language', async (window) => {
  const { language, width, hasSidebar } = window;
  const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com', { width, height: 1400 });
  const { page } = customer;
  for (const list of LISTS) {
    await customer.opens(list);
    // It stays as it was left.
    if (list === LISTS[0] && width >= SIDEBAR_OPEN_MIN_WIDTH !== hasSidebar)
      await page.getByRole('button', { name: customer.text('common:openMenu') }).click();
    const boxes = page.getByRole('main').getByRole('checkbox');
    await boxes.nth(3).waitFor();
    // On a wide screen the first checkbox is the header's.
    const first = width > MOBILE_MAX_WIDTH ? 1 : 0;
    const count = Math.min(5, (await boxes.count()) - first);
    expect(count).toBeGreaterThan(2);
    const rows = Array.from({ length: count }, (_, row) => boxes.nth(first + row));
    const places = await Promise.all(rows.map((box) => box.boundingBox()));
    for (const place of places) {
      if (!place) throw new Error('a checkbox without a place');
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    }
    const bar = page.getByRole('toolbar', { name: customer.text('common:selection') });
    await expect
      .poll(() => bar.getByRole('status').textContent())
      .toBe(customer.text('common:selected_other', { count }));
    expect(await Promise.all(rows.map((box) => box.boundingBox()))).toEqual(places);
    await bar.getByRole('button', { name: customer.text('common:selectNone') }).click();
    await bar.waitFor({ state: 'detached' });
  }
});
