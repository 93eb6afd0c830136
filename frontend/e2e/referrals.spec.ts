// Referrals: a friend signs up with the link and buys; the commission is held, reviewed, released and moved.
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

const DAYS = 24;

/** A new user with their referral link. */
async function referrer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`referrals:${key}`, parameters);
  const opens = async () => {
    await customer.page.getByRole('link', { name: customer.text('nav:referrals'), exact: true }).click();
    await customer.heading(own('title')).waitFor();
  };
  await opens();
  const link = await customer.page.getByRole('region', { name: own('link.label') }).innerText();
  /** Value of a figure. */
  const figure = (key: string) =>
    customer.page
      .locator('dl')
      .filter({ has: customer.page.getByText(own(`figures.${key}`), { exact: true }) })
      .locator('dd')
      .innerText();
  return { customer, page: customer.page, own, opens, link, figure };
}

// Runs first, because the other tests advance the clock by months.
test('the demo has commissions in every status, shown by list and filter', async () => {
  const customer = await Customer.comesBack(shop, browser, 'en', 'customer@example.com');
  const { page } = customer;
  await customer.opens('/referrals');
  const states = page.getByRole('combobox', { name: customer.text('referrals:commissions.state') });
  for (const state of ['pending', 'available', 'moved', 'taken_back']) {
    await states.selectOption(state);
    await page
      .getByRole('row')
      .getByText(customer.text(`referrals:state.${state}`), { exact: true })
      .first()
      .waitFor();
  }
  expect(new URL(page.url()).searchParams.get('State')).toBe('taken_back');
});

test.each(inTurn(LANGUAGES))("a friend's order brings a commission into the wallet, in %s", async (language) => {
  const { customer, page, own, opens, link, figure } = await referrer(language);
  expect(new URL(link).searchParams.get('r')).toMatch(/^[A-Z2-9]{8}$/);
  await page.getByRole('img', { name: own('link.qr') }).waitFor();
  await page.getByText(own('rule.text', { Rate: '12%' })).waitFor();
  // Nothing earned yet: nothing to move, and the lists explain how to start.
  await expect.poll(() => page.getByRole('button', { name: own('move.open') }).isDisabled()).toBe(true);
  await page.getByText(own('commissions.emptyHint')).first().waitFor();

  // The friend follows the link, signs up and buys.
  const friend = await Customer.arrives(shop, browser, language);
  await friend.opens(link.replace(shop.url, ''));
  await friend.page.getByRole('link', { name: friend.text('auth:login.signUp') }).click();
  await friend.fillsSignUp();
  await friend.followsMailedLink('confirm_sign_up');
  await friend.page.getByRole('navigation').first().waitFor();
  await friend.topsUp('50.00');
  await friend.calls('Traffic/CreateTrafficOrder', {
    Gigabytes: 10,
    PeriodDays: 30,
    ExpectedTotal: '35.00',
    PayFromWallet: true,
  });

  // Both use the same device: the commission is held until an operator has reviewed it.
  await page.reload();
  await expect.poll(() => figure('signedUp')).toBe('1');
  expect(await figure('bought')).toBe('1');
  await page.getByText(own('heldHint', { Amount: '$4.20' })).waitFor();
  // Not the row of the chart's table.
  const row = page.locator('.ag-row').filter({ hasText: '$4.20' });
  await row.getByText(own('commissions.held'), { exact: true }).waitFor();
  expect(await row.innerText()).toContain('n•••@example.com');
  await page.getByRole('radio', { name: own('referred.title') }).click();
  await page.getByRole('row').filter({ hasText: 'n•••@example.com' }).waitFor();
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const review = await operator.asks<{ Rows: { AccountId: number; Email: string }[] }>(
    'Operator/GetReferralReviewList',
    {},
  );
  const marked = review.Rows.find(({ Email }) => Email === friend.email);
  await operator.calls('Operator/ReviewReferral', { AccountId: marked?.AccountId, Decision: 'approve' });
  await page.getByRole('radio', { name: own('commissions.title') }).check();
  await page.reload();
  await expect.poll(() => figure('pending')).toBe('$4.20');
  await row.getByText(own('state.pending'), { exact: true }).waitFor();

  // After its waiting time it can be moved, once.
  await customer.signsOut();
  shop.passHours(31 * DAYS);
  await customer.fillsLogin();
  await page.getByRole('navigation').first().waitFor();
  await opens();
  await expect
    .poll(
      async () => {
        await page.reload();
        await customer.heading(own('figures.title')).waitFor();
        return figure('available');
      },
      { timeout: 60_000 },
    )
    .toBe('$4.20');
  await page.getByRole('button', { name: own('move.open') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: own('move.submit', { Amount: '$4.20' }) })
    .click();
  await customer.sees(own('move.done', { Amount: '$4.20' }));
  await expect.poll(() => figure('moved')).toBe('$4.20');
  expect(await figure('available')).toBe('$0.00');
  await row.getByText(own('state.moved'), { exact: true }).waitFor();
  await page
    .getByRole('link', { name: customer.text('common:walletBalance') })
    .getByText('$4.20')
    .waitFor();
  expect(await page.getByRole('button', { name: own('move.open') }).isDisabled()).toBe(true);
});
