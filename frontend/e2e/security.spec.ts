// Account security: two-factor authentication, sessions of other browsers, and password changes.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, PASSWORD } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';
import { codeOf } from './totp';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A new user, on the security screen. */
async function newcomer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`account:${key}`, parameters);
  const dialog = page.getByRole('dialog');
  const section = (key: string) => page.getByRole('region', { name: own(key), exact: true });
  await customer.joins();
  const opensSecurity = async () => {
    await customer.goesTo('my-account', 'password');
    await customer.heading(own('security.title')).waitFor();
  };
  await opensSecurity();
  /** The authenticator's next code: each code is accepted once. */
  const nextCode = (secret: string) => {
    shop.passHours(1 / 60);
    return codeOf(secret, shop.now());
  };
  /** Turns two-factor authentication on; returns the secret and the recovery codes. */
  const turnsOn = async () => {
    await section('twoFactor.title')
      .getByRole('button', { name: own('twoFactor.turnOn') })
      .click();
    await dialog.getByLabel(own('password.current'), { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: own('twoFactor.continue') }).click();
    await dialog.getByText(customer.text('errors:wrongPassword')).waitFor();
    await dialog.getByLabel(own('password.current'), { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: own('twoFactor.continue') }).click();
    await dialog.getByRole('img', { name: own('twoFactor.qr') }).waitFor();
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    await dialog.getByLabel(own('code.label')).fill('12345');
    await dialog.getByRole('button', { name: own('twoFactor.turnOn') }).click();
    await dialog.getByText(customer.text('validation:twoFactorCode')).waitFor();
    await dialog.getByLabel(own('code.label')).fill(nextCode(secret));
    await dialog.getByRole('button', { name: own('twoFactor.turnOn') }).click();
    const list = dialog.getByRole('list', { name: own('codes.list') });
    await list.waitFor();
    const codes = await list.locator('code').allInnerTexts();
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: own('codes.copy') }).click();
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')).toEqual(codes);
    await dialog.getByRole('button', { name: own('codes.done') }).click();
    await section('twoFactor.title').getByText(own('twoFactor.on'), { exact: true }).waitFor();
    return { secret, codes };
  };
  const entersCode = async (code: string) => {
    await page.getByLabel(customer.text('auth:login.code'), { exact: true }).fill(code);
    await page.getByRole('button', { name: customer.text('auth:login.submit') }).click();
  };
  const logSays = (kind: string) => {
    const entries = section('log.title').getByText(customer.text(`security:kinds.${kind}`), { exact: true });
    return entries.filter({ visible: true }).first().waitFor();
  };
  return { customer, page, own, dialog, section, opensSecurity, nextCode, turnsOn, entersCode, logSays };
}

test.each(inTurn(LANGUAGES))(
  'with two-factor authentication one signs in with a code, or with a recovery code, which works once, in %s',
  async (language) => {
    const { customer, page, own, turnsOn, nextCode, entersCode, logSays } = await newcomer(language);
    const { secret, codes } = await turnsOn();
    const [recovery = ''] = codes;

    // The input and the redirect target are kept.
    await customer.signsOut();
    await page.goto(`${shop.url}/login?redirect=${encodeURIComponent('/billing/transactions')}`);
    await customer.fillsLogin();
    await entersCode('000000');
    await customer.sees(customer.text('errors:twoFactorWrong'));
    expect(await page.getByLabel(customer.text('auth:email'), { exact: true }).inputValue()).toBe(customer.email);
    expect(await page.getByLabel(customer.text('auth:password'), { exact: true }).inputValue()).toBe(PASSWORD);
    const code = nextCode(secret);
    await entersCode(code);
    await customer.heading(customer.text('billing:transactions.title')).waitFor();

    // A used code, then a recovery code.
    await customer.signsOut();
    await customer.fillsLogin();
    await entersCode(code);
    await customer.sees(customer.text('errors:twoFactorWrong'));
    await entersCode(recovery);
    await page.getByRole('navigation').first().waitFor();

    // A used recovery code.
    await customer.signsOut();
    await customer.fillsLogin();
    await entersCode(recovery);
    await customer.sees(customer.text('errors:twoFactorWrong'));
    await entersCode(nextCode(secret));
    await page.getByRole('navigation').first().waitFor();
    await customer.goesTo('my-account', 'password');
    await customer.sees(own('twoFactor.codesLeft_other', { count: 9 }));
    await logSays('recovery_code_used');
  },
);

test.each(inTurn(LANGUAGES))(
  'spending money asks for a code once in a while, and codes are replaced and turned off, in %s',
  async (language) => {
    const { customer, page, own, dialog, section, opensSecurity, turnsOn, nextCode } = await newcomer(language);
    const { secret } = await turnsOn();

    // Long after the last code: the top-up asks for one, and cancelling shows no error.
    shop.passHours(1);
    await customer.goesTo('billing', 'billing-wallet');
    await page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true }).fill('50.00');
    const pay = page.getByRole('button', { name: customer.text('billing:topUp.submit') });
    const question = page.getByRole('dialog', { name: customer.text('common:confirm.title') });
    await pay.click();
    await question.getByRole('button', { name: customer.text('common:cancel') }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await pay.click();
    await question.getByLabel(customer.text('common:confirm.code'), { exact: true }).fill('000000');
    await question.getByRole('button', { name: customer.text('common:confirm.submit') }).click();
    await question.getByText(customer.text('errors:twoFactorWrong')).waitFor();
    await question.getByLabel(customer.text('common:confirm.code'), { exact: true }).fill(nextCode(secret));
    await question.getByRole('button', { name: customer.text('common:confirm.submit') }).click();
    await customer.heading(customer.text('sandbox:pay')).waitFor();
    await customer.tellsBankTo('approve');
    await customer.hasBalance('$50.00');

    // Once confirmed, no code is asked for.
    await customer.topsUp('60.00');

    await opensSecurity();
    await section('twoFactor.title')
      .getByRole('button', { name: own('twoFactor.newCodes') })
      .click();
    await dialog.getByLabel(own('code.label')).fill(nextCode(secret));
    await dialog.getByRole('button', { name: own('codes.generate') }).click();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: own('codes.download') }).click();
    expect((await saving).suggestedFilename()).toBe('postern-recovery-codes.txt');
    await dialog.getByRole('button', { name: own('codes.done') }).click();

    await section('twoFactor.title')
      .getByRole('button', { name: own('twoFactor.turnOff') })
      .click();
    await dialog.getByLabel(own('password.current'), { exact: true }).fill(PASSWORD);
    await dialog.getByLabel(own('code.label')).fill(nextCode(secret));
    await dialog.getByRole('button', { name: own('twoFactor.turnOff') }).click();
    await section('twoFactor.title').getByText(own('twoFactor.off'), { exact: true }).waitFor();
    await customer.signsOut();
    await customer.fillsLogin();
    await page.getByRole('navigation').first().waitFor();
  },
);

test.each(inTurn(LANGUAGES))(
  'the session of another browser is ended, and a new password ends all others, in %s',
  async (language) => {
    const { customer, page, own, section, dialog, logSays } = await newcomer(language);
    const elsewhere = await Customer.elsewhere(customer, browser);
    await elsewhere.opens('/login');
    await elsewhere.fillsLogin();
    await elsewhere.page.getByRole('navigation').first().waitFor();

    await page.reload();
    const sessions = section('sessions.title').getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await sessions.first().getByText(own('sessions.current')).waitFor();
    const [before = ''] = own('sessions.revokeNamed', { Device: '\n' }).split('\n');
    await sessions.getByRole('button', { name: new RegExp(`^${before}`) }).click();
    await page.getByRole('status').getByText(own('sessions.revoked'), { exact: true }).waitFor();
    await expect.poll(() => sessions.count()).toBe(1);
    await elsewhere.goesTo('orders');
    await elsewhere.heading(elsewhere.text('auth:login.title')).waitFor();

    // The other browser signs in again, and a new password ends its session.
    await elsewhere.fillsLogin();
    await elsewhere.page.getByRole('navigation').first().waitFor();
    const next = 'another staple 34';
    const password = section('password.title');
    await password.getByLabel(own('password.current'), { exact: true }).fill(PASSWORD);
    await password.getByLabel(own('password.new'), { exact: true }).fill('short');
    await password.getByRole('button', { name: own('password.submit') }).click();
    await password.getByText(customer.text('validation:minLength', { Min: 10 })).waitFor();
    await password.getByLabel(own('password.new'), { exact: true }).fill(next);
    await password.getByRole('button', { name: own('password.submit') }).click();
    await customer.sees(own('password.changed'));
    await elsewhere.goesTo('welcome');
    await elsewhere.heading(elsewhere.text('auth:login.title')).waitFor();
    await elsewhere.fillsLogin(customer.email, next);
    await elsewhere.page.getByRole('navigation').first().waitFor();

    // All others at once.
    await page.reload();
    await section('sessions.title')
      .getByRole('button', { name: own('sessions.revokeOthers') })
      .click();
    await dialog.getByRole('button', { name: own('sessions.revokeOthers') }).click();
    await customer.sees(own('sessions.othersRevoked'));
    await expect.poll(() => sessions.count()).toBe(1);
    await logSays('password_changed');
    // One by itself, one by the new password, and all others.
    await section('log.title').getByLabel(own('log.what'), { exact: true }).selectOption('session_revoked');
    await customer.rows(3);
  },
);
