// On a customer's page, operators show the access token, suspend it with a reason, and reactivate it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goesTo } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { signIn } from './prepare';
import { type Language, openBrowser, Shop, texts, type Visit, visit } from './shop';

const EMAIL = 'customer@example.com';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Signs an operator in and opens the customer's account. */
async function opensAccount(language: Language): Promise<Visit> {
  const desk = await visit(browser, language);
  await signIn(desk.page, shop, language, 'operator@example.com');
  const t = texts(language, 'accounts');
  await goesTo(desk.page, language, 'operator', 'operator-accounts');
  // The list before it has links to customers too.
  await desk.page.getByRole('heading', { name: t('title'), exact: true }).waitFor();
  await desk.page.getByRole('searchbox', { name: t('search') }).fill(EMAIL);
  await desk.page.getByRole('link', { name: EMAIL, exact: true }).click();
  return desk;
}

/** Makes a call with the customer's token; returns code and data. */
async function asks(token: string, call: string): Promise<{ Code: number; Data: Record<string, unknown> }> {
  const headers = { 'Content-Type': 'application/json', Token: token };
  const response = await fetch(`${shop.url}/api/${call}`, { method: 'POST', headers, body: '{}' });
  return response.json();
}

test.each(inTurn(LANGUAGES))(
  '%s: an operator shows the access token, suspends the account with a reason, and reactivates it',
  async (language) => {
    const login = JSON.stringify({ Email: EMAIL, Password: shop.passwordOf(EMAIL) });
    const headers = { 'Content-Type': 'application/json' };
    const signedIn = await fetch(`${shop.url}/api/User/Login`, { method: 'POST', headers, body: login });
    const session: string = (await signedIn.json()).Data.Token;
    const { page } = await opensAccount(language);
    const t = texts(language, 'accounts');
    const audit = texts(language, 'audit');
    const history = page.getByRole('list', { name: t('history.title') });

    const token = page.getByRole('switch', { name: t('flags.accessToken') });
    if (await token.isChecked()) await token.uncheck();
    // The switch shows the requested state, the server the actual one.
    const accessToken = async () => String((await asks(session, 'User/GetCenter')).Data.AccessToken ?? '');
    await expect.poll(accessToken).toBe('');
    await token.check();
    await expect.poll(accessToken).toMatch(/^ptn_/);
    await history.getByText(audit('action.account_center')).first().waitFor();
    const shown = await accessToken();
    expect((await asks(shown, 'Ips/GetUserNodeList')).Code).toBe(1000);

    await page.getByRole('button', { name: t('standing.suspend') }).click();
    await page.getByText(texts(language, 'validation')('required')).waitFor();
    await page.getByLabel(t('standing.reason')).fill(`chargebacks, ${language}`);
    await page.getByRole('button', { name: t('standing.suspend') }).click();
    await history.getByText(audit('action.account_suspended')).first().waitFor();
    await history.getByText(`chargebacks, ${language}`).first().waitFor();
    for (const credential of [session, shown]) {
      expect((await asks(credential, 'Ips/GetUserNodeList')).Code).toBe(3003);
      expect((await asks(credential, 'User/GetWallet')).Code).toBe(1000);
    }

    await page.getByRole('button', { name: t('standing.reactivate') }).click();
    await page.getByRole('button', { name: t('standing.suspend') }).waitFor();
    expect((await asks(shown, 'Ips/GetUserNodeList')).Code).toBe(1000);
    expect(shop.runs('account', 'suspend', EMAIL, '--reason', 'by hand')).toContain('by hand');
    expect((await asks(session, 'Ips/GetUserNodeList')).Code).toBe(3003);
    shop.runs('account', 'resume', EMAIL);
    shop.runs('account', 'show-token', EMAIL, 'off');
    expect((await asks(session, 'User/GetCenter')).Data.AccessToken).toBeFalsy();
  },
);
