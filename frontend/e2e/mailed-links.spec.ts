// Opening any link of an email, as mail scanners do, changes nothing: each link waits until a button is pressed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, PASSWORD } from './customer';
import { openBrowser, Shop, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The texts of all mails, by template: a test of the server compares them with core's `MailTemplate`. */
const MAILS: Record<string, { body: string }> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../locales/en/mail.json'), 'utf8'),
);

/** Mails whose link is made for each of them. */
const OWN_LINKS = [
  'confirm_sign_up',
  'already_signed_up',
  'reset_password',
  'email_change_confirm',
  'email_change_notice',
];

/** All other links: screens of the shop. */
const screens = () => {
  const paths = Object.values(MAILS).flatMap(({ body }) => body.match(/\{\{(PublicUrl|WalletLink)\}\}\S*/g) ?? []);
  const filled = paths.map((path) =>
    path
      .replace('{{PublicUrl}}', shop.url)
      .replace('{{WalletLink}}', `${shop.url}/billing/wallet`)
      .replace(/\{\{\w+\}\}/g, '1'),
  );
  return [...new Set(filled)];
};

const answers = async (call: string, body: unknown) => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${shop.url}/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return await response.json();
};

const done = async (call: string, body: unknown) => expect((await answers(call, body)).Code, call).toBe(1000);

test('every placeholder for a link is known', () => {
  const own = Object.entries(MAILS).filter(([, { body }]) => body.includes('{{Link}}'));
  expect(own.map(([template]) => template).sort()).toEqual([...OWN_LINKS].sort());
  for (const [template, { body }] of Object.entries(MAILS)) {
    // `Url` is that of a customer's own webhook, `ClaimUrl` that of a page of a gateway.
    const placeholders = [...body.matchAll(/\{\{(\w*(?:Link|Url))\}\}/g)].map(([, name]) => name);
    for (const name of placeholders)
      expect(['Link', 'WalletLink', 'PublicUrl', 'Url', 'ClaimUrl'], template).toContain(name);
  }
});

test('a scanner that opens the links of all mails and runs their scripts changes nothing', async () => {
  const owner = await Customer.arrives(shop, browser, 'en');
  await owner.joins('50.00');
  const order = { Gigabytes: 1, PeriodDays: 30, ExpectedTotal: '4.00', PayFromWallet: true };
  await owner.calls('Traffic/CreateTrafficOrder', order);
  const [pending, next] = ['pending@example.com', 'next@example.com'];
  await done('User/SignUp', { Email: pending, Password: PASSWORD });
  await done('User/SignUp', { Email: owner.email, Password: PASSWORD });
  await done('User/RequestPasswordReset', { Email: owner.email });
  await owner.calls('User/RequestEmailChange', { Email: next, Password: PASSWORD });

  const recipients: Record<string, string> = { confirm_sign_up: pending, email_change_confirm: next };
  const links: Record<string, string> = {};
  for (const template of OWN_LINKS) {
    const subject = owner.text(`mail:${template}.subject`, { Shop: 'Postern' });
    const mail = await shop.mailTo(recipients[template] ?? owner.email, subject);
    links[template] = /^http\S+$/m.exec(mail)?.[0] ?? '';
  }
  const bought = { Shop: 'Postern', Gigabytes: '1', OrderNumber: await orderNumber(owner) };
  const purchase = await shop.mailTo(owner.email, owner.text('mail:traffic_purchased.subject', bought));
  links.unsubscribe = /^http\S+\/unsubscribe\?\S+$/m.exec(purchase)?.[0] ?? '';
  const tokenOf = (name: string) => new URL(links[name] ?? '').search.split('=')[1] ?? '';
  const state = async () => [
    await owner.asks('User/GetUserInfo', {}),
    await owner.asks<{ Sessions: unknown[] }>('User/GetSessionList', {}).then(({ Sessions }) => Sessions.length),
    await owner.asks('Notifications/GetSettings', {}),
    (await answers('Notifications/Unsubscribe', { Token: tokenOf('unsubscribe'), DryRun: true })).Data,
    (await answers('User/Login', { Email: pending, Password: PASSWORD })).Code,
  ];
  await done('Notifications/Unsubscribe', { Token: tokenOf('unsubscribe'), DryRun: true });
  const before = await state();

  const scanner = await visit(browser, 'en');
  await scanner.page.clock.install();
  const changes: string[] = [];
  scanner.page.on('request', (request) => {
    const isDryRun = request.url().endsWith('/api/Notifications/Unsubscribe') && request.postDataJSON().DryRun === true;
    if (request.method() !== 'GET' && !isDryRun) changes.push(`${scanner.page.url()} sent ${request.url()}`);
  });
  for (const link of [...Object.values(links), ...screens()]) {
    await scanner.page.goto(link);
    await scanner.page.getByRole('heading', { level: 1 }).first().waitFor();
    await scanner.page.waitForLoadState('networkidle');
    await scanner.page.clock.runFor(60_000);
    await scanner.page.waitForLoadState('networkidle');
  }
  expect(changes).toEqual([]);
  expect(await state()).toEqual(before);

  // The links still do what they are for.
  await done('User/VerifyEmail', { VerifyToken: tokenOf('confirm_sign_up'), Password: PASSWORD });
  // Confirming the change ends the reset's link, so this only finds it: the password, not the link, is refused.
  const reset = { ResetToken: tokenOf('reset_password'), Password: owner.email };
  expect((await answers('User/ResetPassword', reset)).Code).toBe(2001);
  await done('User/ConfirmEmailChange', { Token: tokenOf('email_change_confirm') });
  await done('User/StopEmailChange', { Token: tokenOf('email_change_notice') });
  await done('Notifications/Unsubscribe', { Token: tokenOf('unsubscribe'), DryRun: false });
});

const orderNumber = async (owner: Customer) => {
  const orders = await owner.asks<{ Rows: { OrderNumber: string }[] }>('Order/GetOrderList', {});
  return orders.Rows[0]?.OrderNumber ?? '';
};
