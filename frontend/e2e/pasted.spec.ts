// Pasted input: a list of cities to buy, and addresses to select; and the details panel of a proxy.
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

test.each(inTurn(LANGUAGES))(
  'a pasted list is bought, selected by its addresses, and opened in the panel, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins('50.00');
    await customer.opensOrderForm();
    await page.getByRole('button', { name: customer.own('paste.open') }).click();
    const paste = page.getByRole('dialog', { name: customer.own('paste.title') });
    await paste.getByRole('textbox').fill('东京 2 个，Frankfurt x1\nAtlantis 4');
    await paste.getByText('Atlantis 4').last().waitFor();
    await paste.getByRole('button', { name: customer.own('paste.chooseCount_other', { count: 3 }) }).click();
    await paste.waitFor({ state: 'detached' });
    const chosen = page.getByRole('region', { name: customer.own('order.chosenCities') });
    await expect.poll(() => chosen.getByRole('button').count()).toBe(2);

    // One more from the popular cities.
    const popular = page.getByRole('region', { name: customer.own('order.popular') });
    await popular.getByRole('button').first().click();
    const sum = async () => {
      const said = await chosen.getByRole('button').allInnerTexts();
      return said.reduce((total, one) => total + Number(/× (\d+)/.exec(one)?.[1]), 0);
    };
    await expect.poll(sum).toBe(4);
    // Regions collapse, and a search finds cities in a collapsed one.
    const region = page.getByRole('region', { name: customer.own('region.north_america') });
    await region.getByRole('button', { expanded: true }).click();
    await region.getByRole('textbox').first().waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: customer.own('order.search') }).fill(NEW_YORK[language]);
    await region.getByRole('textbox', { name: NEW_YORK[language], exact: true }).waitFor();

    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await page.waitForURL(/\/order\?OrderId=\d+/);
    await customer.opensProxyList();
    const nodes = await customer.asks<{ Rows: { Ip: string }[] }>('Ips/GetUserNodeList', {});
    const ips = nodes.Rows.map(({ Ip }) => Ip);
    await customer.rows(ips.length);

    await page.getByRole('button', { name: customer.own('select.open') }).click();
    const select = page.getByRole('dialog', { name: customer.own('select.title') });
    await select.getByRole('textbox').fill(`${ips[0]}:17000\n192.0.2.44`);
    await select.getByRole('button', { name: customer.own('select.these_other', { count: 2 }) }).click();
    await select.getByText('192.0.2.44').last().waitFor();
    await select.getByRole('button', { name: customer.own('select.those_one', { count: 1 }) }).click();
    await select.waitFor({ state: 'detached' });
    const bar = page.getByRole('toolbar', { name: customer.text('common:selection') });
    await bar.getByRole('button', { name: customer.own('action.copy'), exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(new RegExp(`^${ips[0]?.replaceAll('.', '\\.')}:17000:\\w+:\\w+$`));

    // The details panel by keyboard: opened from the menu, and back to it.
    const menu = page.getByRole('button', { name: customer.own('list.actionsOf', { Ip: ips[0] ?? '' }) });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: customer.own('action.details') }).press('Enter');
    const panel = page.getByRole('dialog', { name: ips[0] ?? '' });
    const history = panel.getByRole('region', { name: customer.own('panel.history') });
    await history.getByText(customer.own('panel.event.bought')).waitFor();
    expect(new URL(page.url()).searchParams.get('Node')).toMatch(/^\d+$/);
    await page.reload();
    await history.getByRole('link').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('Node')).toBeNull();
  },
);
