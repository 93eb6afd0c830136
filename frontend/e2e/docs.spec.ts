// The documentation, opened from the app: in the reader's language, searched by keyboard, and back in the shop.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

const EMAIL = 'customer@example.com';
/** Of the pages themselves, which are no texts of the app. */
const WORDS = {
  en: { page: 'The API for programs', typed: 'whitelist', found: 'Use your proxies', leave: 'Open the shop' },
  zh: { page: '程序接口（API）', typed: '白名单', found: '使用代理', leave: '打开店铺' },
} as const;

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each(inTurn(LANGUAGES))(
  'the guide opens in the language of the screen and is searched, in %s',
  async (language) => {
    const words = WORDS[language];
    const customer = await Customer.comesBack(shop, browser, language, EMAIL);
    await customer.opens('/my-account/api-keys');
    const link = customer.page.getByRole('link', { name: customer.text('account:keys.guide'), exact: true });
    const [docs] = await Promise.all([customer.page.waitForEvent('popup'), link.click()]);
    await docs.getByRole('heading', { level: 1, name: words.page }).waitFor();
    expect(new URL(docs.url()).pathname).toBe(language === 'zh' ? '/docs/zh/api' : '/docs/api');

    await docs.keyboard.press('Control+k');
    await docs.locator('.VPLocalSearchBox input').waitFor();
    await docs.keyboard.type(words.typed);
    await docs.getByRole('option').filter({ hasText: words.found }).first().click();
    await docs.getByRole('heading', { level: 1, name: words.found }).waitFor();

    await docs.getByRole('link', { name: words.leave }).first().click();
    await customer.page.close();
    await docs.getByRole('navigation').first().waitFor();
    expect(new URL(docs.url()).pathname).not.toContain('/docs');
  },
);
