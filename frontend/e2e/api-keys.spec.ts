// API keys: created with scopes, used, edited and revoked.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
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

/** The response code of a call with this key. */
async function calls(call: string, key: string): Promise<{ status: number; code: number }> {
  const options = { method: 'POST', headers: { Token: key, 'Content-Type': 'application/json' }, body: '{}' };
  const answer = await fetch(`${shop.url}/api/${call}`, options);
  return { status: answer.status, code: (await answer.json()).Code };
}

test.each(inTurn(LANGUAGES))('a key is created, used, edited and revoked, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`account:keys.${key}`, parameters);
  const dialog = page.getByRole('dialog');
  await customer.joins();
  await customer.goesTo('my-account', 'api-keys');
  await customer.heading(own('title')).waitFor();
  await customer.sees(own('empty'));

  // No scope selected, and an invalid address.
  await page
    .getByRole('button', { name: own('add') })
    .first()
    .click();
  await dialog.getByLabel(own('addresses'), { exact: true }).fill('127.0.0.1\nhere');
  await dialog.getByRole('button', { name: own('submit') }).click();
  await expect.poll(() => dialog.getByRole('alert').count()).toBe(3);
  await dialog.getByLabel(own('name'), { exact: true }).fill('Deploy');
  await dialog.getByLabel(own('addresses'), { exact: true }).fill('127.0.0.0/8');
  const scope = (area: string, kind: 'read' | 'write') =>
    dialog.getByRole('checkbox', {
      name: own('scope', { Kind: own(kind), Area: own(`area.${area}.name`) }),
      exact: true,
    });
  await scope('billing', 'read').check();
  await dialog.getByLabel(own('expiry'), { exact: true }).selectOption('30');
  await dialog.getByRole('button', { name: own('submit') }).click();
  await dialog.getByText(own('once')).waitFor();
  const secret = await dialog.locator('dd code').innerText();
  expect(secret).toMatch(/^ptn_[\w-]{43}$/);
  await dialog.getByRole('button', { name: own('copyCommand') }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`-H "Token: ${secret}"`);
  await dialog.getByRole('button', { name: customer.text('common:done') }).click();

  const list = page.getByRole('list', { name: own('title') });
  await list.getByText('Deploy', { exact: true }).waitFor();
  expect(await list.getByText(secret).count()).toBe(0);
  await list.getByText(own('neverUsed')).waitFor();
  expect(await calls('User/GetWallet', secret)).toEqual({ status: 200, code: 1000 });
  expect((await calls('Ips/UserGetNodeTable', secret)).code).toBe(3003);
  await page.reload();
  await expect.poll(() => list.getByText('127.0.0.1').count()).toBeGreaterThan(0);

  await page.getByRole('button', { name: own('editNamed', { Name: 'Deploy' }) }).click();
  await dialog.getByLabel(own('addresses'), { exact: true }).fill('192.0.2.0/24');
  await dialog.getByRole('button', { name: customer.text('common:save') }).click();
  await customer.sees(own('saved'));
  expect((await calls('User/GetWallet', secret)).code).toBe(3003);

  await page.getByRole('button', { name: own('revokeNamed', { Name: 'Deploy' }) }).click();
  await dialog.getByRole('button', { name: own('revoke'), exact: true }).click();
  await customer.sees(own('revoked', { Name: 'Deploy' }));
  await customer.sees(own('empty'));
  expect((await calls('User/GetWallet', secret)).code).toBe(3001);
  await customer.goesTo('my-account', 'password');
  for (const kind of ['api_key_created', 'api_key_changed', 'api_key_revoked']) {
    const entry = page.getByText(customer.text(`security:kinds.${kind}`), { exact: true });
    await entry.filter({ visible: true }).first().waitFor();
  }
});
