// Account details: profile, avatar, language, email change, data export and closing; and what a suspended account can do.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK, PASSWORD } from './customer';
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

async function newcomer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`account:${key}`, parameters);
  const dialog = page.getByRole('dialog');
  const section = (key: string) => page.getByRole('region', { name: own(key), exact: true });
  await customer.joins();
  await customer.goesTo('my-account', 'details');
  await customer.heading(own('details.title')).waitFor();
  return { customer, page, own, dialog, section };
}

/** A PNG chunk: length, type, data and CRC. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  let sum = 0xffffffff;
  for (const byte of named) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  const around = Buffer.alloc(8);
  around.writeUInt32BE(content.length, 0);
  around.writeUInt32BE((sum ^ 0xffffffff) >>> 0, 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** A PNG of one colour. */
function picture(side: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, 0x7f)]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const begin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([begin, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

test.each(inTurn(LANGUAGES))(
  'details are validated at their fields and saved, and switching the language keeps unsaved input, in %s',
  async (language) => {
    const { customer, page, own, section } = await newcomer(language);
    const other = language === 'en' ? 'zh' : 'en';
    const billing = (key: string) => customer.text(`billing:details.${key}`);
    const who = section('details.who');
    await who.getByLabel(billing('company'), { exact: true }).fill('Ann Trading 贸易');
    await who.getByLabel(billing('phone'), { exact: true }).fill('12345');
    await who.getByRole('button', { name: customer.text('common:save') }).click();
    await who.getByText(customer.text('validation:phone')).waitFor();
    await who.getByLabel(billing('phone'), { exact: true }).fill('+1 415 555 0100');
    await who.getByLabel(billing('country'), { exact: true }).selectOption('DE');
    await who.getByRole('button', { name: customer.text('common:save') }).click();
    await customer.sees(own('details.saved'));
    await page.getByRole('button', { name: customer.text('common:account'), exact: true }).click();
    await customer.sees(`Ann Trading 贸易 · ${customer.email}`);
    await page.keyboard.press('Escape');

    // Unsaved input survives a change of the language.
    await who.getByLabel(billing('city'), { exact: true }).fill('Berlin');
    const preferences = section('preferences.title');
    await preferences.getByLabel(own('preferences.language'), { exact: true }).selectOption(other);
    await preferences.getByLabel(own('preferences.timeZone'), { exact: true }).selectOption('Europe/Berlin');
    await preferences.getByRole('button', { name: customer.text('common:save') }).click();
    const speaksNow = await Customer.elsewhere(customer, browser, other);
    await page.getByRole('heading', { name: speaksNow.text('account:details.title'), exact: true }).waitFor();
    const city = page.getByLabel(speaksNow.text('billing:details.city'), { exact: true });
    expect(await city.inputValue()).toBe('Berlin');
    await page.reload();
    const zone = page.getByLabel(speaksNow.text('account:preferences.timeZone'), { exact: true });
    await zone.waitFor();
    expect(await zone.inputValue()).toBe('Europe/Berlin');
    expect(await page.getByLabel(speaksNow.text('billing:details.phone')).inputValue()).toBe('+14155550100');
  },
);

test.each(inTurn(LANGUAGES))(
  'an avatar is previewed and saved; a renamed script and a file of 50 MB are refused, in %s',
  async (language) => {
    const { customer, page, own, section } = await newcomer(language);
    const avatar = section('avatar.title');
    // From a file: transferring 50 MB through the browser's protocol is slow.
    const folder = mkdtempSync(join(tmpdir(), 'postern-picture-'));
    const chooses = async (name: string, content: Buffer) => {
      writeFileSync(join(folder, name), content);
      await avatar.getByLabel(own('avatar.input')).setInputFiles(join(folder, name));
    };
    const script = Buffer.from('#!/bin/sh\nrm -rf /\n');
    const huge = Buffer.concat([picture(8), Buffer.alloc(45 << 20)]);
    await chooses('logo.png', script);
    await avatar.getByText(customer.text('validation:picture')).waitFor();
    await chooses('logo.png', huge);
    await avatar.getByText(customer.text('validation:pictureBytes', { Max: 2 })).waitFor();
    expect(await avatar.getByRole('button', { name: own('avatar.save') }).count()).toBe(0);

    await chooses('logo.png', picture(300));
    await avatar.getByRole('img', { name: own('avatar.preview', { Name: 'logo.png' }) }).waitFor();
    await avatar.getByRole('button', { name: own('avatar.save') }).click();
    await customer.sees(own('avatar.saved'));
    await avatar.getByRole('img', { name: own('avatar.current') }).waitFor();
    const shown = page.getByRole('button', { name: customer.text('common:account'), exact: true }).locator('img');
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);

    // The server refuses both as well.
    const token = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').state.info.Token);
    const sends = async (content: Buffer) => {
      const body = new FormData();
      body.set('file', new File([new Uint8Array(content)], 'logo.png', { type: 'image/png' }));
      const options = { method: 'POST', headers: { Token: token }, body };
      // The server closes the connection if the client keeps sending.
      const answer = fetch(`${shop.url}/api/User/UploadAvatar`, options).then(async (got) => (await got.json()).Code);
      return answer.catch(() => 'hung up');
    };
    expect(await sends(script)).toBe(2001);
    expect([4130, 'hung up']).toContain(await sends(Buffer.alloc(50 << 20)));

    await avatar.getByRole('button', { name: own('avatar.remove') }).click();
    await customer.sees(own('avatar.removed'));
    await avatar.getByRole('img', { name: own('avatar.none') }).waitFor();
    rmSync(folder, { recursive: true });
  },
);

test.each(inTurn(LANGUAGES))(
  'the email is changed by the link to the new address, and the old one reverts it, in %s',
  async (language) => {
    const { customer, page, own, section, dialog } = await newcomer(language);
    const next = `new-${language}@example.com`;
    const asks = async (address: string) => {
      await section('email.title')
        .getByRole('button', { name: own('email.change') })
        .click();
      await dialog.getByLabel(own('email.new'), { exact: true }).fill(address);
      await dialog.getByLabel(own('password.current'), { exact: true }).fill(PASSWORD);
      await dialog.getByRole('button', { name: own('email.submit') }).click();
    };
    const linkTo = async (address: string, subject: string) => {
      const mail = await shop.mailTo(address, customer.text(`mail:${subject}.subject`, { Shop: 'Postern' }));
      return /http\S+\/email-change\S+/.exec(mail)?.[0] ?? '';
    };
    await asks(customer.email);
    await dialog.getByText(customer.text('validation:emailSame')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: customer.text('common:leaving.discard') }).click();
    await asks(next);
    await customer.sees(own('email.sent', { New: next, Old: customer.email }));
    const confirm = page.getByRole('button', { name: customer.text('auth:emailChange.confirmSubmit') });
    await page.goto(await linkTo(next, 'email_change_confirm'));
    await confirm.click();
    await customer.heading(customer.text('auth:emailChange.confirmed')).waitFor();
    await page.getByRole('link', { name: customer.text('auth:emailChange.toApp') }).click();
    await section('email.title').getByText(next).waitFor();

    // A link works once.
    await page.goto(await linkTo(next, 'email_change_confirm'));
    await confirm.click();
    await customer.sees(customer.text('errors:linkExpired'));

    await page.goto(await linkTo(customer.email, 'email_change_notice'));
    await page.getByRole('button', { name: customer.text('auth:emailChange.stopSubmit') }).click();
    await customer.heading(customer.text('auth:emailChange.cancelled')).waitFor();
    await page.getByRole('link', { name: customer.text('auth:backToLogin') }).click();
    await customer.fillsLogin();
    await customer.sees(customer.text('errors:signInFailed'));
    await page.goto(`${shop.url}/email-change`);
    await customer.sees(customer.text('auth:emailChange.noLink'));
  },
);

test.each(inTurn(LANGUAGES))(
  'all data of the account is downloaded, and the account is closed permanently, in %s',
  async (language) => {
    const { customer, page, own, section, dialog } = await newcomer(language);
    await customer.topsUp('60.00');
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 2);
    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await customer.sees(customer.text('orders:fulfilled'));
    await customer.goesTo('my-account', 'details');
    const downloading = page.waitForEvent('download');
    await section('export.title')
      .getByRole('button', { name: own('export.submit') })
      .click();
    const saved = readFileSync(await (await downloading).path(), 'utf8');
    expect(JSON.stringify(JSON.parse(saved))).toContain(customer.email);
    expect(saved).not.toMatch(/"\w*password\w*"\s*:|argon2/i);

    await section('close.title')
      .getByRole('button', { name: own('close.open') })
      .click();
    const losses = dialog.getByRole('list', { name: own('close.losses') });
    await losses.getByText(own('close.balance', { Amount: '$50.00' })).waitFor();
    await losses.getByText(own('close.ips_other', { count: 2 })).waitFor();
    const submit = dialog.getByRole('button', { name: own('close.submit') });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(own('close.acceptLoss')).check();
    await dialog.getByLabel(own('password.current'), { exact: true }).fill('not the password');
    await submit.click();
    await dialog.getByText(customer.text('errors:wrongPassword')).waitFor();
    await dialog.getByLabel(own('password.current'), { exact: true }).fill(PASSWORD);
    await submit.click();
    await customer.sees(own('close.done'));
    await customer.fillsLogin();
    await customer.sees(customer.text('errors:signInFailed'));
  },
);

test.each(inTurn(LANGUAGES))('codes are shown where the operator shows them, in %s', async (language) => {
  const { customer, page, own, section, dialog } = await newcomer(language);
  expect(await section('shared.title').count()).toBe(0);
  shop.runs('account', 'show-invite', customer.email, 'on');
  shop.runs('account', 'show-token', customer.email, 'on');
  await page.reload();
  const shared = section('shared.title');
  await shared.getByRole('button', { name: own('token.show') }).click();
  const token = await shared.locator('code', { hasText: /^ptn_/ }).innerText();
  const answers = async (key: string) => {
    const options = { method: 'POST', headers: { Token: key, 'Content-Type': 'application/json' }, body: '{}' };
    const answer = await fetch(`${shop.url}/api/User/GetWallet`, options);
    return (await answer.json()).Code;
  };
  expect(await answers(token)).toBe(1000);
  await shared.getByRole('button', { name: own('invitation.copyLink') }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/\?r=\w+$/);
  await shared.getByRole('button', { name: own('token.rotate') }).click();
  await dialog.getByRole('button', { name: own('token.rotate') }).click();
  await customer.sees(own('token.rotated'));
  expect(await answers(token)).not.toBe(1000);
  await expect.poll(() => shared.locator('code', { hasText: token }).count()).toBe(0);

  // Revoked and created anew without having been seen.
  await shared.getByRole('button', { name: own('token.revoke') }).click();
  await dialog.getByRole('button', { name: own('token.revoke') }).click();
  await customer.sees(own('token.revoked'));
  await shared.getByRole('button', { name: own('token.create') }).click();
  await customer.sees(own('token.created'));
  await shared.getByRole('button', { name: own('token.show') }).click();
  const next = await shared.locator('code', { hasText: /^ptn_/ }).innerText();
  expect(next).not.toBe(token);
  expect(await answers(next)).toBe(1000);
  shop.runs('account', 'show-token', customer.email, 'off');
  expect(await answers(next)).not.toBe(1000);
});

test.each(inTurn(LANGUAGES))(
  'a suspended account can only open billing, export its data and contact support, in %s',
  async (language) => {
    const { customer, page } = await newcomer(language);
    await customer.topsUp('50.00');
    shop.runs('account', 'suspend', customer.email, '--reason', 'chargeback');
    await page.reload();
    await customer.sees(customer.text('common:suspended.banner'));
    const sidebar = page.getByRole('navigation', { name: customer.text('nav:navigation') });
    await sidebar.getByRole('link', { name: customer.text('nav:billing'), exact: true }).waitFor();
    for (const entry of ['residential-proxies', 'static-residential-proxies', 'referrals']) {
      expect(await sidebar.getByText(customer.text(`nav:${entry}`), { exact: true }).count()).toBe(0);
    }
    for (const path of [
      '/',
      '/residential-proxies/users',
      '/static-residential-proxies/proxy-list',
      '/my-account/api-keys',
    ]) {
      await customer.opens(path);
      await customer.heading(customer.text('common:suspended.title')).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await customer.goesTo('billing', 'billing-wallet');
    await customer.heading(customer.text('billing:wallet.title')).waitFor();
    await customer.hasBalance('$50.00');
    expect(await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).count()).toBe(0);
    await customer.goesTo('orders');
    await customer.rows(1);
    await customer.goesTo('my-account', 'details');
    const exported = page.waitForEvent('download');
    await page.getByRole('button', { name: customer.text('account:export.submit') }).click();
    expect((await exported).suggestedFilename()).toBe('account.json');
    expect(await page.getByRole('button', { name: customer.text('account:close.open') }).count()).toBe(0);
    shop.runs('account', 'resume', customer.email, '--reason', 'paid');
    await customer.opens('/my-account/details');
    await page.getByRole('button', { name: customer.text('account:close.open') }).waitFor();
  },
);
