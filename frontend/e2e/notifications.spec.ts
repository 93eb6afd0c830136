// Notifications: unread count, links, email settings and unsubscribing.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A new user who has topped up, and whose program has bought traffic twice. */
async function buyer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins('120.00');
  const order = { Gigabytes: 10, PeriodDays: 30, ExpectedTotal: '35.00', PayFromWallet: true };
  await customer.calls('Traffic/CreateTrafficOrder', order);
  const { Secret } = await customer.asks<{ Secret: string }>('ApiKeys/AddApiKey', {
    Name: 'program',
    Scopes: ['billing:read', 'billing:write'],
    Addresses: [],
    ExpiresAt: '',
  });
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`notifications:${key}`, parameters);
  const bell = (count: number) => {
    const key = count === 1 ? 'notifications.openUnread_one' : 'notifications.openUnread_other';
    const name = count === 0 ? customer.text('common:notifications.open') : customer.text(`common:${key}`, { count });
    return page.getByRole('button', { name, exact: true });
  };
  const panel = page.getByRole('dialog', { name: customer.text('common:notifications.open') });
  // What the user has just done in this session rings no bell: a top-up, an order and a key.
  await page.reload();
  await bell(0).waitFor();
  for (let bought = 0; bought < 2; bought += 1) {
    const answer = await fetch(`${shop.url}/api/Traffic/CreateTrafficOrder`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Token: Secret },
      body: JSON.stringify(order),
    });
    expect(await answer.json()).toMatchObject({ Code: 1000 });
  }
  return { customer, page, own, bell, panel };
}

test.each(inTurn(LANGUAGES))('events are counted, read and linked to, in %s', async (language) => {
  const { page, own, bell, panel } = await buyer(language);
  // Refetches the unread count.
  await page.reload();
  await bell(2).click();
  await panel.getByRole('heading', { name: own('today') }).waitFor();
  const rows = panel.getByRole('listitem');
  expect(await rows.count()).toBe(5);
  const paid = rows.filter({ hasText: '$35.00' }).first();
  expect(await paid.innerText()).toContain(own('unread'));
  await paid.getByRole('link').click();
  await page.waitForURL(/\/order\?OrderId=\d+/);
  await panel.waitFor({ state: 'detached' });
  await bell(1).click();
  expect(await paid.innerText()).not.toContain(own('unread'));
  await panel.getByRole('button', { name: own('markAllRead') }).click();
  await bell(0).waitFor();
  await page.reload();
  await bell(0).waitFor();
});

test.each(inTurn(LANGUAGES))("types are chosen, and an email's link unsubscribes, in %s", async (language) => {
  const { customer, page, own, bell, panel } = await buyer(language);
  await page.reload();
  await bell(2).click();
  await panel.getByRole('button', { name: own('settings') }).click();
  const dialog = page.getByRole('dialog', { name: own('choices.title') });
  const orders = own('kind.order.paid.name');
  const onScreen = dialog.getByRole('switch', { name: own('choices.onScreenOf', { Kind: orders }), exact: true });
  const byMail = dialog.getByRole('switch', { name: own('choices.byMailOf', { Kind: orders }), exact: true });
  expect(await byMail.isChecked()).toBe(true);
  // The switch is rendered by its label.
  await onScreen.evaluate((input: HTMLInputElement) => input.click());
  await expect.poll(() => onScreen.isChecked()).toBe(false);
  await dialog.getByText(own('choices.alwaysMailed'), { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await bell(0).waitFor();

  // The link in the email asks for confirmation, and unsubscribes from this type only.
  await page.goto(`${shop.url}/demo/mail?view=text`);
  const mail = page.getByRole('listitem').filter({ hasText: customer.email });
  const link = mail.getByRole('link', { name: /\/unsubscribe\?token=\d+\.order\.paid/ });
  for (let attempt = 0; attempt < 20 && (await link.count()) === 0; attempt += 1) {
    await page.waitForTimeout(500);
    await page.reload();
  }
  await link.first().click();
  const masked = 'n•••@example.com';
  await page.getByText(own('unsubscribe.ask', { Email: masked, Kind: orders })).waitFor();
  await page.getByRole('button', { name: own('unsubscribe.submit') }).click();
  await customer.heading(own('unsubscribe.done')).waitFor();
  await page.reload();
  await customer.heading(own('unsubscribe.done')).waitFor();
  await page.getByRole('link', { name: own('unsubscribe.toShop') }).click();
  await bell(0).click();
  await panel.getByRole('button', { name: own('settings') }).click();
  await expect.poll(() => byMail.isChecked()).toBe(false);
  expect(await onScreen.isChecked()).toBe(false);
});

test('an invalid link is distinguished from a valid one', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.opens('/unsubscribe?token=1.order.paid.00');
  await customer.heading(customer.text('notifications:unsubscribe.unknown')).waitFor();
});
