// A payment in the sandbox or at Stripe is taken back after it was spent: disputed, won or lost, or refunded at the gateway; what is owed, what that stops, and how it is paid, in both languages.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { openGateways } from './gateways';
import { inTurn, LANGUAGES } from './languages';
import { isFit, operatesPayments, paysAt, tellsGatewayTo } from './payments';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;
let closeGateways: () => Promise<void>;

beforeAll(async () => {
  const opened = Shop.open(async (url) => {
    const { settings, close } = await openGateways(url);
    closeGateways = close;
    return { ...settings, POSTERN_WHEN_OWED: 'suspend' };
  });
  [shop, browser] = await Promise.all([opened, openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await closeGateways();
});

/** A customer who has topped up 20.00 and spent 5.00 of it, and the gateway's page of the payment. */
async function spends(language: Language, gateway: 'sandbox' | 'stripe') {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  await customer.startsTopUp('20.00', gateway);
  const paid = await paysAt(customer, gateway);
  await customer.seesTopUp('20.00');
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 1);
  await customer.page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
  await customer.sees(customer.text('orders:fulfilled'));
  await customer.hasBalance('$15.00');
  return { customer, paid };
}

/** The rows of the customer's transactions, newest first. */
async function transactionsOf(customer: Customer, count: number) {
  await customer.goesTo('billing', 'billing-transactions');
  const rows = await customer.rows(count);
  const of = (kind: string) =>
    rows.find((row) => row.includes(customer.text(`billing:transactions.kind.${kind}`))) ?? `no ${kind}`;
  return { of };
}

/** The customer owes 5.00 of the 20.00: the wallet says so, the transactions show it, and nothing can be bought. */
async function owes(customer: Customer): Promise<void> {
  const { page } = customer;
  const fact = customer.text('common:owed.fact', { Owed: '$5.00' });
  await customer.opens('/billing/wallet');
  await customer.hasBalance('$0.00');
  const told = page.getByRole('alert').filter({ hasText: fact });
  await told.getByText(customer.text('billing:owed.why'), { exact: true }).waitFor();
  await told.getByText(customer.text('billing:owed.paused'), { exact: true }).waitFor();
  await isFit(page, 'wallet that owes');
  const { of } = await transactionsOf(customer, 4);
  expect(of('taken_back')).toContain('-$20.00');
  expect(of('owed')).toContain('+$5.00');

  await customer.opensOrderForm();
  const banner = page.getByRole('status').filter({ hasText: fact });
  await banner.waitFor();
  await isFit(page, 'order form of a customer who owes');
  await customer.wants(NEW_YORK, 1);
  await page.getByRole('button', { name: customer.text('orders:quote.place') }).click();
  await customer.sees(customer.text('errors:walletOwes', { Owed: '$5.00' }));
  await banner.getByRole('link', { name: customer.text('common:owed.topUp'), exact: true }).click();
  await page.waitForURL(/\/billing\/wallet\?Amount=5\.00/);
}

/** The wallet says nothing of a debt. */
async function owesNothing(customer: Customer, balance: string): Promise<void> {
  await customer.opens('/billing/wallet');
  await customer.hasBalance(balance);
  const debt = customer.page.getByText(customer.text('billing:owed.why'), { exact: true });
  await expect.poll(() => debt.count()).toBe(0);
}

/** An operator opens the case of the customer, and from there the list of what was taken back, with one row. */
async function findsReturn(customer: Customer, kind: 'disputed' | 'refunded_elsewhere') {
  const { operator, page, t, dialog } = await operatesPayments(shop, browser, customer.language, 'cases');
  const row = page.getByRole('row').filter({ hasText: customer.email });
  await row.getByRole('button', { name: t(`cases.kind.${kind}`), exact: true }).click();
  await dialog.getByText(t(`cases.kindHint.${kind}`), { exact: true }).waitFor();
  await isFit(page, 'case of what was taken back');
  await dialog.getByRole('link', { name: t('view.returns'), exact: true }).click();
  await operator.sees(t('lead.returns'));
  await row.filter({ hasText: '$20.00' }).filter({ hasText: '$5.00' }).waitFor();
  await isFit(page, 'disputes and refunds');
  return { operator, page, t, row };
}

test.each([
  ...inTurn([
    ['en', 'sandbox', 'win'],
    ['zh', 'sandbox', 'lose'],
  ] as const),
  ...inTurn([
    ['en', 'stripe', 'win'],
    ['zh', 'stripe', 'lose'],
  ] as const),
])('%s, %s: what is disputed is owed, and the dispute ends: %s', async (language, gateway, decision) => {
  const { customer, paid } = await spends(language, gateway);
  await tellsGatewayTo(customer, paid, 'dispute');
  await owes(customer);

  const { operator, page, t, row } = await findsReturn(customer, 'disputed');
  await row.filter({ hasText: t('returns.state.dispute.open') }).waitFor();
  const OrderNumber = await row.getByRole('link', { name: /^PO/ }).innerText();
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: t('returns.saveEvidence', { OrderNumber }), exact: true }).click(),
  ]);
  expect(pdf.suggestedFilename()).toBe(`evidence-${OrderNumber}.pdf`);
  const bytes = readFileSync(await pdf.path());
  expect(bytes.toString('latin1').startsWith('%PDF-')).toBe(true);

  await tellsGatewayTo(customer, paid, decision);
  await operator.opens('/operator/payments?view=returns');
  const state = decision === 'win' ? 'undone' : 'final';
  await row.filter({ hasText: t(`returns.state.dispute.${state}`) }).waitFor();
  if (decision === 'win') {
    await owesNothing(customer, '$15.00');
    const { of } = await transactionsOf(customer, 6);
    expect(of('given_back')).toContain('+$20.00');
    expect(of('owed_paid')).toContain('-$5.00');
  } else {
    await customer.hasBalance('$0.00');
    await customer.opens('/billing/wallet');
    await customer.sees(customer.text('common:owed.fact', { Owed: '$5.00' }));
  }
});

test.each(inTurn(LANGUAGES))(
  '%s: what was refunded at the gateway is owed, and the next top-up pays it first',
  async (language) => {
    const { customer, paid } = await spends(language, 'sandbox');
    await tellsGatewayTo(customer, paid, 'refund');
    await owes(customer);

    const { t, row } = await findsReturn(customer, 'refunded_elsewhere');
    await row
      .filter({ hasText: t('returns.kind.refund') })
      .filter({ hasText: t('returns.state.refund.final') })
      .waitFor();
    // There is nothing to prove.
    expect(await row.getByRole('button').count()).toBe(0);

    await customer.topsUp('20.00', 'sandbox');
    await owesNothing(customer, '$15.00');
    const { of } = await transactionsOf(customer, 6);
    expect(of('owed_paid')).toContain('-$5.00');
  },
);

test.each(inTurn(LANGUAGES))(
  '%s: what was refunded in part at Stripe leaves the wallet, and is back when it fails',
  async (language) => {
    const { customer, paid } = await spends(language, 'stripe');
    await tellsGatewayTo(customer, paid, 'refund');
    await customer.hasBalance('$10.00');
    const { of } = await transactionsOf(customer, 3);
    expect(of('taken_back')).toContain('-$5.00');
    await tellsGatewayTo(customer, paid, 'fail');
    await owesNothing(customer, '$15.00');
    const { of: later } = await transactionsOf(customer, 4);
    expect(later('given_back')).toContain('+$5.00');
  },
);
