// Refunds to where the money came from: in the sandbox, at Stripe, by a claim in crypto, with EPay, and of a bank transfer by hand, in both languages.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schemas } from '../src/api/client';
import { axeViolations } from './axe';
import { Customer, type Gateway, NEW_YORK } from './customer';
import { openGateways } from './gateways';
import { inTurn, LANGUAGES } from './languages';
import { beginsTopUp, isFit, paysAt, press, tellsGatewayTo } from './payments';
import { ask, sessionOf } from './prepare';
import { type Language, openBrowser, Shop } from './shop';

const RATE = '7.125';
const OPERATOR = 'operator@example.com';
const GATEWAYS = [
  { language: 'en', gateway: 'stripe' },
  { language: 'zh', gateway: 'sandbox' },
] as const;

/** The shop asks gateways less and less often about a refund, and screens ask the shop every few seconds. */
const LATER = { timeout: 80_000 };

let shop: Shop;
let browser: Browser;
let closeGateways: () => Promise<void>;

beforeAll(async () => {
  const opened = Shop.open(async (url) => {
    const { settings, close } = await openGateways(url);
    closeGateways = close;
    return { ...settings, POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234' };
  });
  [shop, browser] = await Promise.all([opened, openBrowser()]);
  await ask(shop, 'Operator/SetExchangeRate', { Currency: 'CNY', Rate: RATE }, await sessionOf(shop, OPERATOR));
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await closeGateways();
});

type Method = Gateway | 'transfer';

/** Texts of orders, as somebody reads them. */
const ordersOf = (who: Customer) => (key: string, parameters?: Record<string, string | number>) =>
  who.text(`orders:${key}`, parameters);

/** The refund on the page of an order that is open, once it has come this far: the page is loaded again until then, or notices by itself. */
async function seesRefund(who: Customer, progress: string, { byItself = false } = {}) {
  const t = ordersOf(who);
  const refunds = who.page.getByRole('list', { name: t('refunds.title'), exact: true }).getByRole('listitem');
  const refund = refunds.filter({ hasText: t(`refunds.progress.${progress}`) });
  if (byItself) await refund.waitFor(LATER);
  await who.heading(t('timeline')).waitFor();
  await expect
    .poll(async () => {
      if ((await refund.count()) === 0) {
        await who.page.reload();
        await who.heading(t('timeline')).waitFor();
      }
      return refund.count();
    }, LATER)
    .toBe(1);
  return refund;
}

/** An operator on the page of an order. */
async function operatesOrder(language: Language, number: string) {
  const operator = await Customer.comesBack(shop, browser, language, OPERATOR);
  await operator.opens(`/operator/orders?OrderNumber=${number}`);
  await operator.heading(operator.text('orders:timeline')).waitFor();
  return operator;
}

/** An operator refunds this much of an order to where it came from, with the keyboard alone. */
async function refundsByKeyboard(language: Language, number: string, amount: string, method: Method) {
  const operator = await operatesOrder(language, number);
  const { page } = operator;
  const t = ordersOf(operator);
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: t('refund.open'), exact: true }).focus();
  await keyboard.press('Enter');
  // To the wallet, unless another way is chosen.
  const way = (name: string) => dialog.getByRole('radio', { name: new RegExp(`^${t(`method.${name}`)}`) });
  await way(method).waitFor();
  expect(await way('wallet').isChecked()).toBe(true);
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  expect(await way(method).isChecked()).toBe(true);
  await keyboard.press('Tab');
  await keyboard.type(amount);
  await keyboard.press('Tab');
  await keyboard.type('Too slow 太慢');
  await dialog.getByRole('button', { name: t('refund.confirm', { Amount: `$${amount}` }), exact: true }).waitFor();
  expect(await axeViolations(page, 'refund')).toEqual([]);
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  return operator;
}

/** An operator refunds this much of a top-up, which goes where it came from. */
async function refundsTopUp(language: Language, number: string, amount: string, method: Method, arrivesAs?: string) {
  const operator = await operatesOrder(language, number);
  const { page } = operator;
  const t = ordersOf(operator);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: t('refund.open'), exact: true }).click();
  await dialog.getByText(t('refund.topUp', { Method: t(`method.${method}`) }), { exact: true }).waitFor();
  await dialog.getByLabel(t('refund.amountIn', { Currency: 'USD' }), { exact: true }).fill(amount);
  await dialog.getByLabel(t('refund.reason'), { exact: true }).fill('Asked for it');
  const confirm = dialog.getByRole('button', { name: t('refund.confirm', { Amount: `$${amount}` }), exact: true });
  await confirm.waitFor();
  if (arrivesAs) await dialog.getByText(arrivesAs, { exact: true }).waitFor();
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
  await operator.sees(t('refund.doneTopUp', { Amount: `$${amount}`, Method: t(`method.${method}`) }));
  return operator;
}

/** A customer who has paid for an IP at a gateway, its order, and the gateway's page of the payment. */
async function buysAt(gateway: 'sandbox' | 'stripe', language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 1);
  await customer.placesOrder();
  const order = customer.page.url();
  await customer.paysWith(gateway);
  const paid = await paysAt(customer, gateway);
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$0.00');
  return { customer, order, paid, number: /PO\w{10}/.exec(await customer.page.title())?.[0] ?? '' };
}

async function savesCreditNote(page: Page, who: Customer): Promise<void> {
  const CREDIT_NOTE = /CN-\d{4}-\d{6}/;
  const document = page.getByRole('button', { name: CREDIT_NOTE }).first();
  const number = CREDIT_NOTE.exec(await document.innerText())?.[0] ?? '';
  const name = who.text('invoices:save', { Number: number });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  const bytes = readFileSync(await file.path()).toString('latin1');
  expect(bytes.startsWith('%PDF-')).toBe(true);
}

test.each(GATEWAYS)('$language: a part of an order goes back by keyboard, and arrives: $gateway', async (one) => {
  const { language, gateway } = one;
  const { customer, order, paid, number } = await buysAt(gateway, language);
  const operator = await refundsByKeyboard(language, number, '2.00', gateway);
  await customer.page.goto(order);
  const refund = await seesRefund(customer, 'on_its_way');
  expect(await refund.innerText()).toContain('$2.00');
  await isFit(customer.page, 'order with a refund');
  await customer.hasBalance('$0.00');

  await tellsGatewayTo(customer, paid, 'arrive');
  await customer.page.goto(order);
  await seesRefund(customer, 'arrived');
  await savesCreditNote(customer.page, customer);
  await customer.hasBalance('$0.00');
  // The operator's page has noticed by itself.
  await seesRefund(operator, 'arrived', { byItself: gateway === 'sandbox' });
  await isFit(operator.page, 'order with a refund, for operators');
});

test.each(GATEWAYS)(
  '$language: a refund that fails is in the wallet, and an operator has a case: $gateway',
  async (one) => {
    const { language, gateway } = one;
    const { customer, order, paid, number } = await buysAt(gateway, language);
    const operator = await refundsByKeyboard(language, number, '2.00', gateway);
    await seesRefund(operator, 'on_its_way');
    await tellsGatewayTo(customer, paid, 'fail');
    await customer.page.goto(order);
    const refund = await seesRefund(customer, 'failed');
    await refund.getByText(customer.text('orders:refunds.hint.failed'), { exact: true }).waitFor();
    await customer.hasBalance('$2.00');

    const { page } = operator;
    const t = (key: string) => operator.text(`payments:${key}`);
    const row = page.getByRole('row').filter({ hasText: customer.email });
    await operator.opens('/operator/payments?view=cases');
    await row.getByRole('button', { name: t('cases.kind.refund_failed'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('cases.kindHint.refund_failed'), { exact: true }).waitFor();
    await dialog.getByRole('link', { name: t('view.returns'), exact: true }).click();
    await row
      .filter({ hasText: t('returns.kind.by_shop') })
      .filter({ hasText: operator.text('orders:refunds.progress.failed') })
      .waitFor();
  },
);

/** Opens the only order of a customer; returns its number. */
async function opensOnlyOrder(customer: Customer): Promise<string> {
  await customer.goesTo('orders');
  const link = customer.page.getByRole('link', { name: /^PO\w{10}$/ });
  const number = await link.innerText();
  await link.click();
  await customer.heading(customer.text('orders:timeline')).waitFor();
  return number;
}

test.each(inTurn(LANGUAGES))('%s: of a top-up in crypto, the customer claims a part', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  await beginsTopUp(customer, '25.00', 'btcpay');
  const own = page.url();
  const link = page.getByRole('link', { name: customer.text('pay:btcpay.checkout'), exact: true });
  await page.goto((await link.getAttribute('href')) ?? '');
  await press(page, 'exact');
  await press(page, 'confirm');
  await page.goto(own);
  await customer.seesTopUp('25.00');
  const number = await opensOnlyOrder(customer);

  const operator = await refundsTopUp(language, number, '10.00', 'btcpay');
  await page.reload();
  const refund = await seesRefund(customer, 'to_be_claimed');
  await customer.hasBalance('$15.00');
  await isFit(page, 'order with a refund to be claimed');
  const order = page.url();
  const claim = refund.getByRole('button', { name: customer.text('orders:refunds.claim'), exact: true });
  await claim.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/pull-payments\//);
  await press(page, 'Claim');
  await press(page, 'Pay out');
  await page.goto(order);
  await seesRefund(customer, 'arrived');
  expect(await claim.count()).toBe(0);
  await seesRefund(operator, 'arrived');
});

test.each(inTurn(LANGUAGES))('%s: of a top-up with Alipay, a part arrives at once, in yuan', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  await beginsTopUp(customer, '10.00', 'epay');
  await page.getByRole('link', { name: customer.text('pay:epay.method.alipay'), exact: true }).click();
  await customer.heading('71.25 alipay').waitFor();
  await press(page, 'Pay');
  await customer.seesTopUp('10.00');
  const number = await opensOnlyOrder(customer);

  const operator = await refundsTopUp(language, number, '4.00', 'epay', '¥28.50');
  await seesRefund(operator, 'arrived');
  await page.reload();
  const refund = await seesRefund(customer, 'arrived');
  await refund.getByText(customer.text('orders:refunds.arrivesAs', { Amount: '¥28.50' }), { exact: true }).waitFor();
  await customer.hasBalance('$6.00');
  await customer.goesTo('billing', 'billing-transactions');
  const [sentBack = ''] = await customer.rows(2);
  expect(sentBack).toContain(customer.text('billing:transactions.kind.sent_back'));
  expect(sentBack).toContain('-$4.00');
});

test.each(inTurn(LANGUAGES))(
  '%s: what came by bank transfer is sent by hand, and its outcome recorded',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins();
    const transfer = { Amount: '50.00', PaymentMethod: 'transfer' };
    const { Order } = await customer.asks<Schemas['TopUpStarted']>('Wallet/CreateTopUp', transfer);
    const arrived = { PaymentId: Order.OrderNumber, Amount: '50.00' };
    await ask(shop, 'Order/SettlePayment', arrived, await sessionOf(shop, OPERATOR));

    const operator = await refundsTopUp(language, Order.OrderNumber, '20.00', 'transfer');
    await seesRefund(operator, 'by_hand');
    const { page } = operator;
    const t = (key: string, parameters?: Record<string, string>) => operator.text(`payments:${key}`, parameters);
    await page.getByRole('link', { name: operator.text('orders:refunds.all'), exact: true }).click();
    await operator.sees(t('lead.returns'));
    const record = t('returns.settle.openOf', { OrderNumber: Order.OrderNumber });
    await page.getByRole('button', { name: record, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('returns.settle.reference'), { exact: true }).fill(`TR-${language}`);
    expect(await axeViolations(page, 'outcome of a refund')).toEqual([]);
    await dialog.getByRole('button', { name: t('returns.settle.submitSent'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('returns.settle.doneSent', { Amount: '$20.00' }));
    const row = page.getByRole('row').filter({ hasText: Order.OrderNumber });
    await row.filter({ hasText: operator.text('orders:refunds.progress.arrived') }).waitFor();
    expect(await page.getByRole('button', { name: record, exact: true }).count()).toBe(0);

    await customer.opens(`/order?OrderId=${Order.OrderId}`);
    const refund = await seesRefund(customer, 'arrived');
    await refund.getByText(`TR-${language}`, { exact: true }).waitFor();
    await customer.hasBalance('$30.00');

    // The case that asked for it is closed with it.
    await operator.opens('/operator/payments?view=cases&State=closed');
    const closed = page.getByRole('row').filter({ hasText: customer.email });
    await closed.getByRole('button', { name: t('cases.kind.refund_by_hand'), exact: true }).waitFor();
  },
);
