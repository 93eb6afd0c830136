// Groups, and proxy setup of a plan: access, whitelist, credentials and commands.
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

test.each(inTurn(LANGUAGES))('access, whitelist and credentials of a plan, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.goesTo('static-residential-proxies', 'proxy-setup');
  await customer.heading(customer.own('setup.title')).waitFor();
  const command = page.getByRole('region', { name: 'curl' });
  await command.getByText(/curl -x "http:\/\/\w+:\w+@127/).waitFor();

  // An empty whitelist would block all access.
  await page.getByRole('radio', { name: new RegExp(`^${customer.own('setup.mode.whitelist')}`) }).click();
  await customer.sees(customer.text('validation:whitelistEmpty'));
  const address = page.getByLabel(customer.own('setup.address'), { exact: true });
  for (const refused of ['192.168.0.1', '8.0.0.0/3', 'here']) {
    await address.fill(refused);
    await page.getByRole('button', { name: customer.own('setup.add'), exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid'), { message: refused }).toBe('true');
  }
  await address.fill('8.8.8.8/24');
  await page.getByLabel(customer.own('setup.label'), { exact: true }).fill('office');
  await page.getByRole('button', { name: customer.own('setup.add'), exact: true }).click();
  const list = page.getByRole('list', { name: customer.own('setup.whitelist') });
  await list.getByText('8.8.8.0/24').waitFor();
  // Whitelist only: no password in any command.
  await page.getByRole('radio', { name: new RegExp(`^${customer.own('setup.mode.whitelist')}`) }).check();
  await command.getByText(/curl -x "http:\/\/127/).waitFor();
  await page.getByRole('radio', { name: new RegExp(`^${customer.own('setup.mode.both')}`) }).check();
  await command.getByText(/curl -x "http:\/\/\w+:\w+@127/).waitFor();
  await list.getByRole('button', { name: customer.own('setup.remove', { Address: '8.8.8.0/24' }) }).click();
  await list.waitFor({ state: 'detached' });

  // One pair of credentials for all proxies.
  await page.getByRole('radio', { name: new RegExp(`^${customer.own('setup.mode.password')}`) }).check();
  await page.getByRole('button', { name: customer.own('setup.change'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(customer.own('setup.userName'), { exact: true }).fill('fleet1');
  await dialog.getByLabel(customer.own('setup.password'), { exact: true }).fill('battery7staple9horse');
  await dialog.getByRole('button', { name: customer.own('credentials.submit') }).click();
  await dialog.waitFor({ state: 'detached' });
  await command.getByText(/curl -x "http:\/\/fleet1:battery7staple9horse@127/).waitFor();
  for (const program of ['Python', 'Node', 'Go', 'Java', 'C#', 'PHP']) {
    await page.getByRole('radio', { name: program, exact: true }).check();
    await page.getByRole('region', { name: program, exact: true }).getByText('battery7staple9horse').first().waitFor();
  }
});

test.each(inTurn(LANGUAGES))(
  'a group is added, renamed, emptied and deleted; its proxies stay, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
    await customer.goesTo('static-residential-proxies', 'group-list');
    await customer.sees(customer.own('groups.empty'));
    await page
      .getByRole('button', { name: customer.own('groups.add') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel(customer.own('groups.name'), { exact: true });
    await name.fill('Shops');
    await dialog.getByRole('button', { name: customer.text('common:save') }).click();
    await dialog.waitFor({ state: 'detached' });

    const choose = async (group: string, action: string) => {
      await page.getByRole('button', { name: customer.own('groups.actionsOf', { Name: group }) }).click();
      await page.getByRole('menuitem', { name: customer.own(`groups.${action}`), exact: true }).click();
      await dialog.waitFor();
    };
    await choose('Shops', 'edit');
    await name.fill('Stores');
    await dialog.getByRole('button', { name: customer.text('common:save') }).click();
    await dialog.waitFor({ state: 'detached' });

    await customer.opensProxyList();
    await customer.rows(1);
    await customer.selects(1);
    const moving = await customer.begins('group');
    await moving.getByLabel(customer.own('group.choose')).selectOption({ label: 'Stores' });
    await moving.getByRole('button', { name: customer.own('group.submit') }).click();
    await moving.waitFor({ state: 'detached' });

    await customer.goesTo('static-residential-proxies', 'group-list');
    await choose('Stores', 'clear');
    await dialog.getByText(customer.own('groups.clearHint_one', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: customer.own('groups.clearConfirm') }).click();
    await dialog.waitFor({ state: 'detached' });
    await choose('Stores', 'delete');
    await dialog.getByText(customer.own('groups.deleteHint')).waitFor();
    await dialog.getByRole('button', { name: customer.own('groups.deleteConfirm') }).click();
    await customer.sees(customer.own('groups.empty'));
    await customer.opensProxyList();
    await customer.rows(1);
  },
);

test('picked IPs are exactly the ones bought', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins('50.00');
  await customer.opensOrderForm();
  await page.getByRole('radio', { name: customer.own('order.exact') }).check();
  await customer.selects(1, 2);
  const summary = page.getByRole('complementary', { name: customer.text('orders:quote.summary') });
  await summary.getByText('$10.00').first().waitFor();
  const picked = await page.getByRole('button', { name: /^Leave out/ }).allInnerTexts();
  const masked = picked.map((text) => text.match(/127\.\d+\.\d+\./)?.[0] ?? 'none');
  await customer.placesOrder();
  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.opensProxyList();
  const owned = (await customer.rows(2)).join('\n');
  for (const start of masked) expect(owned).toContain(start);
});
