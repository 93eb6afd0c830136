// Top-ups and orders through gateways: in another currency with EPay, and in crypto with BTCPay Server, in full, in part, with too much, not at all, and invalid in the end, in both languages.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './axe';
import { Customer, NEW_YORK } from './customer';
import { openGateways } from './gateways';
import { inTurn, LANGUAGES } from './languages';
import { beginsTopUp, isFit, operatesPayments, press } from './payments';
import { type Language, openBrowser, Shop } from './shop';

const RATE = '7.125';

let shop: Shop;
let browser: Browser;
let closeGateways: () => Promise<void>;

beforeAll(async () => {
  const opened = Shop.open(async (url) => {
    const { settings, close } = await openGateways(url);
    closeGateways = close;
    return settings;
  });
  [shop, browser] = await Promise.all([opened, openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await closeGateways();
});

/** A customer who has opened the wallet. */
async function opensWallet(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  const { page } = customer;
  const method = page.getByLabel(customer.text('billing:topUp.method'), { exact: true });
  await method.locator('option').first().waitFor({ state: 'attached' });
  return { customer, page, method };
}

const operates = (language: Language, view: 'cases' | 'rates') => operatesPayments(shop, browser, language, view);

test('until there is a rate, customers are not offered a method that charges another currency', async () => {
  const { method } = await opensWallet('en');
  const values = () => method.locator('option').evaluateAll((all) => all.map((one) => one.textContent));
  expect(await values()).toContain('Crypto');
  expect(await values()).not.toContain('Alipay or WeChat Pay');
  const { operator, t } = await operates('en', 'rates');
  await operator.heading(t('rates.unset', { ShopCurrency: 'USD', Currency: 'CNY' })).waitFor();
  await operator.sees(t('rates.notOffered'));
});

test.each(inTurn(LANGUAGES))('%s: a top-up is paid with Alipay, at the rate of the shop', async (language) => {
  const { operator, page: desk, t, dialog } = await operates(language, 'rates');
  await desk.getByRole('button', { name: t('rates.setOf', { Currency: 'CNY' }), exact: true }).click();
  const rate = dialog.getByLabel(t('rates.rate', { Currency: 'CNY', ShopCurrency: 'USD' }), { exact: true });
  await rate.fill('0');
  await dialog.getByRole('button', { name: operator.text('common:save'), exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await rate.getAttribute('aria-invalid')).toBe('true');
  expect(await axeViolations(desk, 'exchange rate')).toEqual([]);
  await rate.fill(RATE);
  await dialog.getByRole('button', { name: operator.text('common:save'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await operator.sees(t('rates.done'));
  const pair = { One: 1, ShopCurrency: 'USD', Rate: RATE, Currency: 'CNY' };
  await operator.heading(t('rates.pair', pair)).waitFor();
  await desk.getByText(t('rates.condition.inUse'), { exact: true }).waitFor();

  const { customer, page } = await opensWallet(language);
  const charged = customer.text('billing:topUp.charged', { Amount: '¥71.25', Rate: RATE });
  await beginsTopUp(customer, '10.00', 'epay', charged);
  await page.getByText('¥71.25', { exact: true }).waitFor();
  await customer.sees(customer.text('pay:epay.rateOf', { One: 1, From: 'USD', To: 'CNY', Rate: RATE }));
  await customer.sees(customer.text('pay:epay.rounded'));
  await page.getByRole('definition').filter({ hasText: '$10.00' }).waitFor();
  await isFit(page, 'EPay');
  await page.getByRole('link', { name: customer.text('pay:epay.method.alipay'), exact: true }).click();
  await customer.heading('71.25 alipay').waitFor();
  await press(page, 'Pay');
  await customer.seesTopUp('10.00');
  await customer.hasBalance('$10.00');

  await operator.goesTo('operator', 'operator-audit-log');
  const noted = desk.getByRole('row').filter({ hasText: operator.text('audit:action.exchange_rate_set') });
  await noted.filter({ hasText: RATE }).first().waitFor();
});

/** A customer who has ordered an IP and chosen a gateway, on the page where it is paid. */
async function ordersAndPaysWith(language: Language, method: 'btcpay' | 'epay') {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 1);
  await customer.placesOrder();
  await customer.paysWith(method);
  await customer.heading(customer.text(`pay:${method}.title`)).waitFor();
  return { customer, page: customer.page };
}

test.each(inTurn(LANGUAGES))('%s: an order is paid with WeChat Pay, and delivered', async (language) => {
  const { customer, page } = await ordersAndPaysWith(language, 'epay');
  await page.getByRole('link', { name: customer.text('pay:epay.method.wxpay'), exact: true }).click();
  await press(page, 'Pay');
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$0.00');
});

test.each(inTurn(LANGUAGES))(
  '%s: half of a top-up by QQ Wallet arrives, which is credited, and an operator has a case',
  async (language) => {
    const { customer, page } = await opensWallet(language);
    const charged = customer.text('billing:topUp.charged', { Amount: '¥142.50', Rate: RATE });
    await beginsTopUp(customer, '20.00', 'epay', charged);
    await page.getByRole('link', { name: customer.text('pay:epay.method.qqpay'), exact: true }).click();
    await customer.heading('142.50 qqpay').waitFor();
    await press(page, 'Pay half');
    await customer.seesTopUp('10.00');
    await customer.hasBalance('$10.00');

    const { operator, page: desk, t, dialog } = await operates(language, 'cases');
    const row = desk.getByRole('row').filter({ hasText: customer.email });
    await row.getByRole('button', { name: t('cases.kind.other_amount'), exact: true }).click();
    await dialog.getByText(t('cases.amounts', { Due: '$20.00', Credited: '$10.00' }), { exact: true }).waitFor();
    await dialog.getByText(operator.text('orders:method.epay'), { exact: true }).waitFor();
  },
);

test.each(inTurn(LANGUAGES))('%s: an order is paid in crypto, and delivered', async (language) => {
  const { customer, page } = await ordersAndPaysWith(language, 'btcpay');
  const own = page.url();
  await page.getByRole('link', { name: customer.text('pay:btcpay.checkout'), exact: true }).click();
  await press(page, 'exact');
  await press(page, 'confirm');
  await page.goto(own);
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$0.00');
});

/** What somebody does on the checkout page of BTCPay Server. */
type Step = 'exact' | 'half' | 'over' | 'confirm' | 'expire';

/** A top-up of 25.00 in crypto, up to where these steps lead, and the address of its checkout page. */
async function paysInCrypto(language: Language, ...steps: Step[]) {
  const { customer, page } = await opensWallet(language);
  await beginsTopUp(customer, '25.00', 'btcpay');
  const own = page.url();
  const link = page.getByRole('link', { name: customer.text('pay:btcpay.checkout'), exact: true });
  const checkout = (await link.getAttribute('href')) ?? '';
  await page.goto(checkout);
  for (const step of steps) await press(page, step);
  await page.goto(own);
  await customer.isInTheApp();
  return { customer, checkout };
}

test.each(inTurn(LANGUAGES))('%s: a payment in crypto is seen, and counts once it is confirmed', async (language) => {
  const { customer, page } = await opensWallet(language);
  await beginsTopUp(customer, '25.00', 'btcpay');
  const own = page.url();
  const t = (key: string, parameters?: Record<string, string>) => customer.text(`pay:btcpay.${key}`, parameters);
  await page.getByRole('img', { name: t('code'), exact: true }).waitFor();
  await page.getByText('0.00050000 BTC', { exact: true }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'address-of-BTC' }).waitFor();
  await customer.sees(t('worth', { Amount: '$25.00' }));
  expect(await page.getByRole('link', { name: t('wallet'), exact: true }).getAttribute('href')).toMatch(/^btc:/);
  await isFit(page, 'BTCPay Server');
  await page.getByRole('link', { name: t('other', { Method: 'USDT TRON' }), exact: true }).click();
  await page.getByText('25.00000000 USDT', { exact: true }).waitFor();

  await page.getByRole('link', { name: t('checkout'), exact: true }).click();
  await press(page, 'exact');
  await page.goto(own);
  await customer.sees(t('seen'));
  expect(await page.getByRole('img', { name: t('code'), exact: true }).count()).toBe(0);
  await isFit(page, 'BTCPay Server, seen');
  await page.getByRole('link', { name: t('checkout'), exact: true }).click();
  await press(page, 'confirm');
  await page.goto(own);
  await customer.seesTopUp('25.00');
  await customer.hasBalance('$25.00');
});

test.each(inTurn(LANGUAGES))(
  '%s: half of it is credited when time is up, and an operator closes the case',
  async (language) => {
    const { customer } = await paysInCrypto(language, 'half', 'confirm', 'expire');
    await customer.seesTopUp('12.50');
    await customer.hasBalance('$12.50');

    const { operator, page, t, dialog } = await operates(language, 'cases');
    const row = page.getByRole('row').filter({ hasText: customer.email });
    await row
      .filter({ hasText: '$12.50' })
      .filter({ hasText: t('cases.isOpen') })
      .waitFor();
    await row.getByRole('button', { name: t('cases.kind.other_amount'), exact: true }).click();
    await dialog.getByText(t('cases.amounts', { Due: '$25.00', Credited: '$12.50' }), { exact: true }).waitFor();
    await dialog.getByText(operator.text('orders:method.btcpay'), { exact: true }).waitFor();
    const note = `The rest follows ${language}`;
    await dialog.getByLabel(t('cases.note'), { exact: true }).fill(note);
    expect(await axeViolations(page, 'case')).toEqual([]);
    await dialog.getByRole('button', { name: t('cases.close'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('cases.done'));
    await row.waitFor({ state: 'detached' });

    await page.getByLabel(t('state'), { exact: true }).selectOption({ label: t('cases.isClosed') });
    await row.getByRole('button', { name: t('cases.kind.other_amount'), exact: true }).click();
    await dialog.getByText(note, { exact: true }).waitFor();
    await dialog.getByText('operator@example.com', { exact: true }).waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await operator.goesTo('operator', 'operator-audit-log');
    const noted = page.getByRole('row').filter({ hasText: operator.text('audit:action.payment_case_closed') });
    await noted.filter({ hasText: note }).first().waitFor();
  },
);

test.each(inTurn(LANGUAGES))('%s: what is paid too much is credited as well', async (language) => {
  const { customer } = await paysInCrypto(language, 'over', 'confirm');
  await customer.seesTopUp('37.50');
  await customer.hasBalance('$37.50');
});

test.each(inTurn(LANGUAGES))('%s: what is not paid in time credits nothing', async (language) => {
  const { customer } = await paysInCrypto(language, 'expire');
  await customer.sees(customer.text('billing:outcome.failed'));
  await customer.hasBalance('$0.00');
});

test.each(inTurn(LANGUAGES))('%s: what is paid after the time is credited all the same', async (language) => {
  const { customer, checkout } = await paysInCrypto(language, 'expire');
  await customer.sees(customer.text('billing:outcome.failed'));
  await customer.page.goto(checkout);
  await press(customer.page, 'exact');
  await press(customer.page, 'confirm');
  await customer.opens('/billing/transactions');
  await customer.hasBalance('$25.00');
  const [arrived = ''] = await customer.rows(1);
  expect(arrived).toContain('+$25.00');
});

test.each(inTurn(LANGUAGES))('%s: what becomes invalid later is taken from the wallet', async (language) => {
  const { customer, checkout } = await paysInCrypto(language, 'exact', 'confirm');
  await customer.seesTopUp('25.00');
  await customer.hasBalance('$25.00');
  await customer.page.goto(checkout);
  await press(customer.page, 'invalid');
  await customer.opens('/billing/transactions');
  await customer.hasBalance('$0.00');
  const [taken = ''] = await customer.rows(2);
  expect(taken).toContain(customer.text('billing:transactions.kind.taken_back'));
  expect(taken).toContain('-$25.00');

  const { operator, page, t, dialog } = await operates(language, 'cases');
  const row = page.getByRole('row').filter({ hasText: customer.email });
  await row.getByRole('button', { name: t('cases.kind.invalidated'), exact: true }).click();
  await dialog.getByText(t('cases.kindHint.invalidated'), { exact: true }).waitFor();
  await dialog.getByRole('link', { name: t('view.returns'), exact: true }).click();
  await operator.sees(t('lead.returns'));
  await row
    .filter({ hasText: t('returns.kind.invalid') })
    .filter({ hasText: t('returns.state.invalid.final') })
    .filter({ hasText: '$25.00' })
    .waitFor();
});
