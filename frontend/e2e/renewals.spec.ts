// Two months of three proxies: one renews, one cannot for lack of money, one is not set to renew.
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
  'of two proxies with auto-renew the wallet pays one; the others expire, and are gone after the grace period, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    const mails = async (mail: string, count: number) => {
      const subject = customer.text(`mail:${mail}.subject_${count === 1 ? 'one' : 'other'}`, {
        Shop: 'Postern',
        Count: count,
      });
      await page.goto(`${shop.url}/demo/mail`);
      const found = page.getByRole('listitem').filter({ hasText: customer.email }).filter({ hasText: subject });
      await expect
        .poll(async () => {
          await page.reload();
          return found.count();
        })
        .toBe(1);
    };
    /** The list, or one of its filters, has this many proxies; jobs may need a moment after the clock has moved. */
    const listHas = async (count: number, state?: 'assigned' | 'grace') => {
      const range = page.getByText(customer.text('common:range', { From: 1, To: count, Total: count }));
      await expect
        .poll(
          async () => {
            await customer.opens(`/static-residential-proxies/proxy-list${state ? `?State=${state}` : ''}`);
            await page.getByRole('gridcell').first().waitFor();
            return range.count();
          },
          { timeout: 20_000 },
        )
        .toBeGreaterThan(0);
      expect(await customer.rows(count)).toHaveLength(count);
    };

    await customer.comesToOwn([[NEW_YORK, 3]], '20.00');
    await customer.hasBalance('$5.00');
    await listHas(3, 'assigned');
    await customer.opensProxyList();
    await customer.rows(3);
    await customer.selects(1, 2);
    const dialog = await customer.begins('autoRenew');
    await dialog.getByRole('radio', { name: new RegExp(`^${customer.own('autoRenew.on')}`) }).check();
    await dialog.getByRole('button', { name: customer.text('common:save') }).click();
    await dialog.waitFor({ state: 'detached' });

    // Three days before expiry: the balance covers one.
    shop.passHours(27 * 24 + 1);
    await mails('renewed', 1);
    await mails('renewal_failed', 1);
    await listHas(3, 'assigned');
    await customer.hasBalance('$0.00');

    // At expiry: the session of a month ago has expired as well.
    shop.passHours(3 * 24);
    await page.goto(`${shop.url}/login?lang=${language}`);
    await page.evaluate(() => localStorage.clear());
    await customer.opens('/login');
    await customer.fillsLogin();
    await page.getByRole('navigation').first().waitFor();
    await listHas(2, 'grace');
    await listHas(1, 'assigned');
    // One of the expired two was to renew: both screens say the same.
    await customer.opens('/billing/products');
    await customer.sees(customer.text('common:product.grace_other', { count: 2 }));
    await customer.sees(customer.text('billing:products.counts', { Active: 1, Expired: 2 }));
    await customer.sees(customer.text('billing:products.autoRenewPartly'));
    expect(await page.getByText(customer.text('common:product.active'), { exact: true }).count()).toBe(0);
    await customer.opens('/welcome/products');
    await customer.sees(customer.text('common:product.grace_other', { count: 2 }));

    // After the grace period: the IPs are released, and can be sold again.
    shop.passHours(3 * 24 + 1);
    await listHas(1);
    await listHas(1, 'assigned');
    await customer.opens('/billing/products');
    await page.getByText(customer.text('common:product.active'), { exact: true }).waitFor();
    await customer.sees(customer.text('billing:products.nextChargeOf_one', { count: 1 }));
    const autoRenew = page.getByRole('switch', { name: customer.text('billing:products.autoRenew') });
    await expect.poll(() => autoRenew.isChecked()).toBe(true);
    // Off for the IPs of today and for those bought next: there is no next charge.
    await autoRenew.press('Space');
    await customer.sees(customer.text('billing:products.noCharge'));
  },
);
