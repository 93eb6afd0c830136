// A coupon from its beginning to its end: made by an operator for one first order, used by a new customer, counted, and ended.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, discountText, NEW_YORK } from './customer';
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

/** Enters a code on the order form; returns the order's summary. */
async function enters(customer: Customer, code: string) {
  const summary = customer.page.getByRole('complementary', { name: customer.text('orders:quote.summary') });
  await summary.getByLabel(customer.text('orders:quote.coupon'), { exact: true }).fill(code);
  await summary.getByRole('button', { name: customer.text('orders:quote.couponApply'), exact: true }).click();
  return summary;
}

test.each(inTurn(LANGUAGES))(
  '%s: an operator makes a coupon for one first order, sees its use, and ends it',
  async (language) => {
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { page } = operator;
    const t = (key: string, parameters?: Record<string, string | number>) =>
      operator.text(`coupons:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    await operator.goesTo('operator', 'operator-coupons');
    await operator.heading(t('title')).waitFor();

    await page.getByRole('button', { name: t('add.open'), exact: true }).click();
    const submits = () => dialog.getByRole('button', { name: t('add.submit'), exact: true }).click();
    await dialog.getByRole('button', { name: t('add.generate'), exact: true }).click();
    const code = await dialog.getByLabel(t('code'), { exact: true }).inputValue();
    expect(code).toMatch(/^[A-Z2-9]{10}$/);
    await submits();
    await dialog.getByText(operator.text('validation:percentOrAmount')).waitFor();
    await dialog.getByLabel(t('add.percentOff'), { exact: true }).fill('20');
    await dialog.getByRole('checkbox', { name: language === 'en' ? 'Regular' : '普通', exact: true }).check();
    await dialog.getByLabel(t('add.totalUses'), { exact: true }).fill('1');
    await dialog.getByRole('checkbox', { name: new RegExp(`^${t('firstOrderOnly')}`) }).check();
    await submits();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: t('search') }).fill(code.slice(2, 8).toLowerCase());
    const row = page.getByRole('row').filter({ hasText: code });
    for (const text of ['20%', t('uses.limited', { Count: 0, Total: 1 }), t('state.usable')]) {
      await row.getByText(text, { exact: true }).waitFor();
    }

    // A new customer's first order.
    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins('50.00');
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 2);
    const summary = await enters(customer, code.toLowerCase());
    await summary.getByText('$8.00').first().waitFor();
    await customer.placesOrder();
    await customer.sees(discountText(customer, 'coupon', '20%', code));
    await customer.paysWith('wallet');
    await customer.sees(customer.text('orders:fulfilled'));
    await customer.hasBalance('$42.00');

    // It was the only one.
    const late = await Customer.arrives(shop, browser, language);
    await late.joins();
    await late.opensOrderForm();
    const refused = await enters(late, code);
    await refused
      .getByRole('alert')
      .filter({ hasText: late.text('validation:couponAllUsed') })
      .waitFor();

    await page.reload();
    await operator.isInTheApp();
    await row.getByText(t('uses.limited', { Count: 1, Total: 1 }), { exact: true }).waitFor();
    await page.getByRole('button', { name: t('end.of', { Code: code }), exact: true }).click();
    await dialog.getByText(t('end.keeps_one', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: t('end.confirm'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText(t('state.ended'), { exact: true }).waitFor();
    await page.getByLabel(t('stateTitle'), { exact: true }).selectOption('usable');
    await operator.sees(operator.text('common:noRows'));

    const ended = await enters(late, code);
    await ended
      .getByRole('alert')
      .filter({ hasText: late.text('validation:couponEnded') })
      .waitFor();
    // The order keeps it.
    await customer.page.reload();
    await customer.sees(discountText(customer, 'coupon', '20%', code));
  },
);
