// What is chosen at checkout is what the IPs have; the same order again; a renewal that the wallet pays at once.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { dayOf, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The day that many days from now, as the customer's screens say it. */
const dayIn = (days: number) => dayOf(new Date(Date.now() + days * 86_400_000));

test.each(inTurn(LANGUAGES))(
  'group and auto-renew are chosen at checkout, the order is placed again, and renewed with one press, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    const group = `Marketing ${language}`;
    await customer.joins('60.00');
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 2);

    const chosen = page.getByLabel(customer.own('order.group'), { exact: true });
    await chosen.selectOption({ label: customer.own('group.new') });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(customer.own('groups.name'), { exact: true }).fill(group);
    await dialog.getByRole('button', { name: customer.text('common:save') }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => chosen.locator('option:checked').innerText()).toBe(group);
    const renews = page.getByRole('switch', { name: customer.own('order.autoRenew'), exact: true });
    expect(await renews.isChecked()).toBe(false);
    await renews.click();
    await customer.sees(dayIn(30));
    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await customer.sees(customer.text('orders:fulfilled'));
    await customer.sees(customer.text('orders:nodeUntil', { Date: dayIn(30) }));

    // The form has the same contents. Group and auto-renew are of the IPs that were bought.
    await page.getByRole('link', { name: customer.text('orders:orderAgain'), exact: true }).click();
    await customer.heading(customer.own('order.title')).waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: NEW_YORK[language], exact: true }).inputValue())
      .toBe('2');
    await expect.poll(() => chosen.locator('option:checked').innerText()).toBe(customer.own('group.none'));
    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await customer.sees(customer.text('orders:fulfilled'));

    await customer.opensProxyList();
    const rows = await customer.rows(4);
    expect(rows.filter((row) => row.includes(group))).toHaveLength(2);
    const { Rows } = await customer.asks<{ Rows: { AutoRenew: boolean; GroupName?: string | null }[] }>(
      'Ips/GetUserNodeList',
      { Page: 1, PageSize: 50 },
    );
    expect(Rows.filter((node) => node.AutoRenew).map((node) => node.GroupName)).toEqual([group, group]);

    await customer.selects(1, 2);
    const renewal = await customer.begins('renew');
    await renewal.getByRole('button', { name: customer.own('renew.fromWallet'), exact: true }).click();
    await page.waitForURL(/\/order\?OrderId=\d+/);
    await customer.sees(customer.own('renew.done_other', { count: 2 }));
    const days = page.getByText(customer.text('orders:newExpiry', { Date: dayIn(60) }), { exact: true });
    await expect.poll(() => days.count()).toBe(2);
    await customer.hasBalance('$30.00');
  },
);
