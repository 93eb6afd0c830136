// What an operator does is found in the audit log, leads to the account, and is saved as a file, in both languages.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { ask, type Session } from './prepare';
import { openBrowser, Shop } from './shop';

const OPERATOR = 'operator@example.com';
const CUSTOMER = 'customer@example.com';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Suspends the demo customer's account and reactivates it, through the API. */
async function suspends(reason: string): Promise<number> {
  const login = { Email: OPERATOR, Password: shop.passwordOf(OPERATOR) };
  const session = await ask<Session>(shop, 'User/Login', login);
  const asked = { Page: 1, PageSize: 10, Sort: [], Filter: {}, Search: CUSTOMER };
  const found = await ask<{ Rows: { AccountId: number }[] }>(shop, 'Operator/GetAccountList', asked, session);
  const AccountId = found.Rows[0]?.AccountId ?? 0;
  await ask(shop, 'Operator/SetAccountState', { AccountId, State: 'suspended', Reason: reason }, session);
  await ask(shop, 'Operator/SetAccountState', { AccountId, State: 'active', Reason: '' }, session);
  return AccountId;
}

test.each(inTurn(LANGUAGES))(
  '%s: an operator finds a suspension in the audit log, opens it and its account, and saves the log',
  async (language) => {
    const reason = `chargebacks, ${language}`;
    const accountId = await suspends(reason);
    const operator = await Customer.comesBack(shop, browser, language, OPERATOR);
    const { page } = operator;
    const t = (key: string) => operator.text(`audit:${key}`);
    await operator.goesTo('operator', 'operator-audit-log');
    await operator.heading(t('title')).waitFor();

    await page.getByRole('searchbox', { name: t('search') }).fill('nobody@example.com');
    await operator.sees(operator.text('common:noRows'));
    await page.getByRole('searchbox', { name: t('search') }).fill(CUSTOMER);
    await page.getByLabel(t('what'), { exact: true }).selectOption('account_suspended');
    await page.getByLabel(t('channelTitle'), { exact: true }).selectOption('screen');
    // Newest first.
    const told = page.getByRole('button', { name: reason });
    await told.waitFor();
    const row = page.getByRole('row').filter({ hasText: reason });
    for (const text of [t('action.account_suspended'), OPERATOR, CUSTOMER]) {
      await row.getByText(text, { exact: true }).waitFor();
    }

    await told.click();
    const dialog = page.getByRole('dialog', { name: t('action.account_suspended') });
    await dialog.getByText(operator.text('common:labelled', { Label: t('reason'), Value: reason })).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('export'), exact: true }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe('audit-log.csv');
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toContain('At,Operator,Channel,Actor,Address,Action,Account,Subject,Reason,Changes');
    const saved = lines.filter((line) => line.includes(`"${reason}"`));
    expect(saved).toHaveLength(1);
    expect(saved[0]).toContain(`,${OPERATOR},screen,`);
    expect(saved[0]).toContain(`,account_suspended,${CUSTOMER},`);
    for (const line of lines.slice(1)) expect(line).toContain(',account_suspended,');

    await row.getByRole('link', { name: CUSTOMER, exact: true }).click();
    await page.waitForURL(new RegExp(`/operator/accounts/${accountId}(\\?|$)`));
    await operator.opens(`/operator/audit-log?AccountId=${accountId}`);
    const only = page.getByRole('button', {
      name: operator.text('audit:onlyAccount', { AccountId: String(accountId) }),
    });
    await only.click();
    await only.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).searchParams.has('AccountId')).toBe(false);
  },
);

test('a command on the server is in the audit log', async () => {
  shop.runs('account', 'suspend', CUSTOMER, '--reason', 'by hand');
  shop.runs('account', 'resume', CUSTOMER);
  const operator = await Customer.comesBack(shop, browser, 'en', OPERATOR);
  const { page } = operator;
  await operator.opens('/operator/audit-log?Channel=command&Action=account_suspended');
  const row = page.getByRole('row').filter({ hasText: 'by hand' });
  await row.getByText(operator.text('audit:actor.command'), { exact: true }).waitFor();
});
