// A reseller's discount: set by an operator, shown in every price, kept by the order, applied to renewals, and never refunded above what was
// paid; and a customer without one.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, discountText, goesTo, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { signIn } from './prepare';
import { type Language, openBrowser, Shop, texts, type Visit, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A demo operator, signed in. */
async function operator(language: Language): Promise<Visit> {
  const desk = await visit(browser, language);
  await signIn(desk.page, shop, language, 'operator@example.com');
  return desk;
}

/** Finds the account by email and sets its discount, or removes it. */
async function grants({ page }: Visit, language: Language, email: string, percent: string | null): Promise<void> {
  const t = texts(language, 'accounts');
  await goesTo(page, language, 'operator', 'operator-accounts');
  await page.getByRole('searchbox', { name: t('search') }).fill(email);
  await page.getByRole('link', { name: email, exact: true }).click();
  const level = t(percent === null ? 'level.customer' : 'level.reseller');
  const saves = () => page.getByRole('button', { name: t('terms.save') }).click();
  await page.getByRole('radio', { name: new RegExp(`^${level}`) }).check();
  if (percent !== null) {
    await page.getByLabel(t('terms.percent')).fill('90.5');
    await saves();
    await page.getByText(texts(language, 'validation')('discount', { Max: '90%' })).waitFor();
    await page.getByLabel(t('terms.percent')).fill(percent);
  }
  await saves();
  const Terms = percent === null ? level : t('terms.of', { Level: level, Percent: `${percent}%` });
  await page.getByText(t('terms.saved', { Email: email, Terms })).waitFor();
}

test.each(inTurn(LANGUAGES))(
  '%s: an operator makes a customer a reseller, who buys, renews and is refunded at the discounted price',
  async (language) => {
    const reseller = await Customer.arrives(shop, browser, language);
    const { page } = reseller;
    const desk = await operator(language);
    await reseller.joins('50.00');
    await grants(desk, language, reseller.email, '15');

    // In every price: listed, calculated, quoted.
    await reseller.opens('/static-residential-proxies/pricing');
    await reseller.sees(reseller.own('pricing.reseller', { Percent: '15%' }));
    const main = page.getByRole('main');
    await expect
      .poll(() => main.locator('s').allInnerTexts())
      .toEqual(['$5.00', '$9.00', '$14.00'].map((price) => expect.stringContaining(price)));
    await main.getByText('$4.25', { exact: true }).first().waitFor();
    await main.getByRole('table').getByText('$4.25', { exact: true }).waitFor();
    await main.getByText(discountText(reseller, 'reseller', '15%')).waitFor();
    await reseller.opensOrderForm();
    await reseller.wants(NEW_YORK, 3);
    const summary = page.getByRole('complementary', { name: reseller.text('orders:quote.summary') });
    await summary.getByText(discountText(reseller, 'reseller', '15%')).waitFor();
    await summary.getByText('$12.75').waitFor();

    // The discount changes meanwhile: nothing is ordered before the new price was shown.
    await grants(desk, language, reseller.email, '20');
    await summary.getByRole('button', { name: reseller.text('orders:quote.place') }).click();
    await summary
      .getByText(reseller.text('orders:quote.priceChanged', { OldPrice: '$12.75', NewPrice: '$12.00' }))
      .waitFor();
    await summary.getByText(discountText(reseller, 'reseller', '20%')).waitFor();
    await reseller.placesOrder();
    await reseller.sees(discountText(reseller, 'reseller', '20%'));
    // The order keeps its discount while it is unpaid.
    await grants(desk, language, reseller.email, '10');
    await reseller.paysWith('wallet');
    await reseller.sees(reseller.text('orders:fulfilled'));
    await reseller.hasBalance('$38.00');

    // A renewal uses the current one.
    await reseller.opensProxyList();
    await reseller.selects(1);
    const dialog = await reseller.begins('renew');
    await dialog.getByText(discountText(reseller, 'reseller', '10%')).waitFor();
    await dialog.getByText('$4.50', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: reseller.own('renew.submit') }).click();
    await page.waitForURL(/\/order\?OrderId=/);
    await reseller.paysWith('wallet');
    await reseller.hasBalance('$33.50');

    // The operator sees who set what, and refunds the renewal: the amount paid, not the list price.
    const order = (await page.title()).match(/PO\w{10}/)?.[0] ?? '';
    const t = texts(language, 'orders');
    await desk.page.goto(`${shop.url}/order?OrderNumber=${order}`);
    await desk.page.getByRole('button', { name: t('refund.open'), exact: true }).click();
    const refund = desk.page.getByRole('dialog');
    await refund.getByLabel(t('refund.reason')).fill('r');
    await refund.getByRole('button', { name: t('refund.confirm', { Amount: '$4.50' }) }).click();
    await refund.waitFor({ state: 'detached' });
    await grants(desk, language, reseller.email, null);
    const history = desk.page.getByRole('list', { name: texts(language, 'accounts')('history.title') });
    const terms = history.locator(':scope > li').filter({ hasText: texts(language, 'audit')('action.account_terms') });
    // Newest first: level and discount before and after.
    const percents = async () => (await terms.allInnerTexts()).map((text) => text.match(/\d+%/g) ?? []);
    await expect.poll(percents).toEqual([
      ['10%', '0%'],
      ['20%', '10%'],
      ['15%', '20%'],
      ['0%', '15%'],
    ]);
    expect(await terms.first().innerText()).toContain('operator@example.com');

    await page.reload();
    await reseller.hasBalance('$38.00');
    await reseller.opens('/static-residential-proxies/pricing');
    await main.getByText('$14.00').first().waitFor();
    await expect.poll(() => main.locator('s').count()).toBe(0);
  },
);

test('a customer has no discount and cannot open the accounts', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins();
  await customer.opens('/static-residential-proxies/pricing');
  await page.getByText('$5.00').first().waitFor();
  await expect.poll(() => page.getByRole('main').locator('s').count()).toBe(0);
  await customer.opens('/operator/accounts');
  await customer.sees(customer.text('common:notFound'));
  await page.getByRole('button', { name: customer.text('common:account'), exact: true }).click();
  const entries = page.getByRole('menuitem');
  await expect
    .poll(() => entries.allInnerTexts())
    .toEqual(
      ['nav:billing-wallet', 'nav:details', 'nav:password', 'nav:status', 'common:signOut'].map((key) =>
        customer.text(key),
      ),
    );
});
