// A lost connection: the screen says so, stays usable, and recovers by itself.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
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

/** Requests that failed for lack of a connection. */
const areLost = (problems: string[]) =>
  problems.filter((one) => !/ failed$|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION/.test(one));

test.each(inTurn(LANGUAGES))(
  'without a network every screen says so, and loads by itself once it is back, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
    await customer.goesTo('welcome', 'products');
    await page
      .getByRole('link', { name: customer.text('welcome:figure.balance') })
      .first()
      .waitFor();

    const bar = page.getByRole('status').getByText(customer.text('common:offline'), { exact: true });
    await page.context().setOffline(true);
    await bar.waitFor();
    await page.getByRole('status').getByText(customer.text('common:recovers')).waitFor();
    // Screens that were not open before.
    for (const [entry, child] of [
      ['billing', 'billing-transactions'],
      ['static-residential-proxies', 'proxy-list'],
    ] as const) {
      await customer.goesTo(entry, child);
      await page.waitForURL(new RegExp(`${child.replace('billing-', '')}$`));
      await bar.waitFor();
      expect(await page.getByText(customer.text('common:screenFailed')).count()).toBe(0);
    }

    await page.context().setOffline(false);
    await bar.waitFor({ state: 'detached' });
    expect(await customer.rows(1)).toHaveLength(1);
    await customer.hasBalance('$45.00');
    expect(areLost(customer.expectedProblems())).toEqual([]);
  },
);

test.each(inTurn(LANGUAGES))(
  'a dialog on a phone says that the server is not reached, and keeps what was typed, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    const text = customer.text.bind(customer);
    await page.setViewportSize({ width: 390, height: 800 });
    await customer.joins('20.00');
    await page.goto(`${shop.url}/my-account/webhooks`);
    await page
      .getByRole('button', { name: text('webhooks:add') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(text('webhooks:form.url')).fill('https://hooks.example.com/in');
    await page.context().setOffline(true);
    const add = dialog.getByRole('button', { name: text('webhooks:form.add') });
    await add.click();
    await dialog.getByText(text('common:unanswered')).waitFor();
    expect(await dialog.getByLabel(text('webhooks:form.url')).inputValue()).toBe('https://hooks.example.com/in');
    await page.context().setOffline(false);
    expect(areLost(customer.expectedProblems())).toEqual([]);
  },
);

test('a server that does not answer is waited for', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins('20.00');
  const isDown = (route: { abort: (reason: string) => Promise<void> }) => route.abort('connectionrefused');
  await page.route('**/*', isDown);
  await customer.goesTo('billing', 'billing-transactions');
  const bar = page.getByRole('status').getByText(customer.text('common:unreachable'), { exact: true });
  await bar.waitFor();
  await page.unroute('**/*', isDown);
  await bar.waitFor({ state: 'detached', timeout: 15_000 });
  expect(await customer.rows(1)).toHaveLength(1);
  expect(areLost(customer.expectedProblems())).toEqual([]);
});
