// A bank transfer arrives with less than was due, an operator credits it and finds both confirmations, has a refused callback processed again, and saves the month, in both languages.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './axe';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { dayOf, type Language, openBrowser, Shop } from './shop';

/** Nobody asks Stripe here: this signs what the journey sends in its name. */
const WEBHOOK_SECRET = 'whsec_of_the_journey';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  const settings = {
    POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234',
    POSTERN_STRIPE_SECRET_KEY: 'sk_test_of_the_journey',
    POSTERN_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
  [shop, browser] = await Promise.all([Shop.open(settings), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A new customer who has begun a top-up by bank transfer, and its reference. */
async function announcesTransfer(language: Language, amount: string) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  await page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true }).fill(amount);
  await page.getByLabel(customer.text('billing:topUp.method')).selectOption('transfer');
  await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
  await customer.heading(customer.text('pay:transfer.title')).waitFor();
  const reference = await page.getByRole('definition').filter({ hasNotText: 'Example Bank' }).first().innerText();
  return { customer, reference };
}

/** Stripe reports a payment that another shop of the same Stripe account has begun; returns the verdict. */
async function reportsPaymentOfAnotherShop(session: string): Promise<unknown> {
  const object = { id: session, payment_status: 'paid', metadata: { shop: 'another' } };
  const body = JSON.stringify({ type: 'checkout.session.completed', data: { object } });
  const at = Math.floor(shop.now().getTime() / 1_000);
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex');
  const headers = { 'Stripe-Signature': `t=${at},v1=${signature}` };
  const answer = await fetch(`${shop.url}/gateway/callback/stripe`, { method: 'POST', headers, body });
  return answer.json();
}

/** An operator on a screen of the shop, with the texts of both screens. */
async function operates(language: Language, screen: string, title: string) {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const t = (key: string, parameters?: Record<string, string | number>) => operator.text(`payments:${key}`, parameters);
  await operator.goesTo('operator', screen);
  await operator.heading(t(title)).waitFor();
  return { operator, page: operator.page, t };
}

/** Switches to another view of the payments. What is typed before it is there goes into the view before. */
async function switchesTo({ operator, page, t }: Awaited<ReturnType<typeof operates>>, view: string) {
  const views = page.getByRole('group', { name: t('view.label'), exact: true });
  await views.getByRole('radio', { name: t(`view.${view}`), exact: true }).click();
  await operator.sees(t(`lead.${view}`));
}

test.each(inTurn(LANGUAGES))(
  '%s: a transfer with less than is due is refused, then accepted, and the wallet has what arrived',
  async (language) => {
    const { customer, reference } = await announcesTransfer(language, '50.00');
    const screen = await operates(language, 'operator-payments', 'title');
    const { operator, page, t } = screen;
    await switchesTo(screen, 'transfers');
    await page.getByRole('searchbox', { name: t('search') }).fill(customer.email);
    const [waiting = ''] = await operator.rows(1);
    expect(waiting).toContain(reference);
    expect(waiting).toContain('$50.00');
    await page.getByRole('button', { name: t('confirm.openOf', { OrderNumber: reference }), exact: true }).click();

    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel(t('confirm.received', { Currency: 'USD' }), { exact: true });
    await field.fill('49.98');
    await dialog.getByText(t('confirm.less', { Difference: '$0.02' })).waitFor();
    const submit = dialog.getByRole('button', { name: t('confirm.submitAmount', { Amount: '$49.98' }), exact: true });
    await submit.click();
    await dialog.getByText(operator.text('validation:amountDue', { Amount: '50.00' })).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe('49.98');
    await dialog.getByRole('checkbox', { name: t('confirm.accept'), exact: true }).check();
    await submit.click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('confirm.done', { Amount: '$49.98', Email: customer.email }));
    await operator.sees(operator.text('common:noRows'));

    // The payment is now one of what arrived, and both confirmations are kept.
    await switchesTo(screen, 'all');
    await page.getByRole('searchbox', { name: t('search') }).fill(reference);
    const [settled = ''] = await operator.rows(1);
    expect(settled).toContain('$49.98');
    expect(settled).toContain(operator.text('orders:payment.succeeded'));
    await page.getByRole('link', { name: operator.text('orders:verdict.settle'), exact: true }).click();
    const [second = '', first = ''] = await operator.rows(2);
    expect(second).toContain(operator.text('orders:verdict.settle'));
    expect(first).toContain(operator.text('orders:verdict.wrong_amount'));
    await page
      .getByRole('button', { name: /"AmountDue"/ })
      .first()
      .click();
    await dialog.getByText(t('callbacks.operator')).waitFor();
    await dialog.getByText(/operator@example\.com/).waitFor();
    // What was settled is not settled again.
    expect(await dialog.getByRole('button', { name: t('callbacks.again'), exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: reference, exact: true }).first().click();
    await page.waitForURL(new RegExp(`/operator/orders\\?OrderNumber=${reference}`));
    await operator.sees(operator.text('orders:operator.of', { Email: customer.email }));

    await customer.opens('/billing/wallet');
    await customer.hasBalance('$49.98');
  },
);

test.each(inTurn(LANGUAGES))('%s: a refused callback is processed again, which is noted', async (language) => {
  const session = `cs_${language}`;
  expect(await reportsPaymentOfAnotherShop(session)).toEqual({ Verdict: 'wrong_merchant' });
  const screen = await operates(language, 'operator-payments', 'title');
  const { operator, page, t } = screen;
  await switchesTo(screen, 'callbacks');
  await page.getByLabel(t('callbacks.verdict'), { exact: true }).selectOption('wrong_merchant');
  await page.getByRole('button', { name: new RegExp(session) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('callbacks.againHint'), { exact: true }).waitFor();
  const again = dialog.getByRole('button', { name: t('callbacks.again'), exact: true });
  await again.click();
  const Verdict = operator.text('orders:verdict.wrong_merchant');
  await dialog.getByText(t('callbacks.againRefused', { Verdict }), { exact: true }).waitFor();
  // It may be mended later.
  expect(await again.isVisible()).toBe(true);
  expect(await axeViolations(page, 'callback')).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await operator.goesTo('operator', 'operator-audit-log');
  const action = operator.text('audit:action.callback_replayed');
  const noted = page.getByRole('row').filter({ hasText: action }).filter({ hasText: Verdict });
  await noted.first().waitFor();
});

test.each(inTurn(LANGUAGES))('%s: a document is found and saved, and the month is one file', async (language) => {
  const { operator, page, t } = await operates(language, 'operator-invoices', 'invoices.title');
  await page.getByLabel(t('kind'), { exact: true }).selectOption('invoice');
  const document = page.getByRole('button', { name: /INV-\d{4}-\d{6}/ }).first();
  const number = (await document.innerText()).trim();
  await page.getByRole('searchbox', { name: t('invoices.search') }).fill(number);
  const [row = ''] = await operator.rows(1);
  expect(row).toContain(operator.text('invoices:kind.invoice'));
  const name = operator.text('invoices:save', { Number: number });
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  expect(pdf.suggestedFilename()).toBe(`${number}.pdf`);
  expect(
    readFileSync(await pdf.path())
      .toString('latin1')
      .startsWith('%PDF-'),
  ).toBe(true);

  await page.getByRole('button', { name: t('month.open'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('month.title'), exact: true });
  await dialog.getByText(t('month.documents')).waitFor();
  // The months begin with the current one.
  await dialog.getByLabel(t('month.label'), { exact: true }).selectOption({ index: 0 });
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('month.submit'), exact: true }).click(),
  ]);
  expect(archive.suggestedFilename()).toBe(`accounting-${dayOf(shop.now()).slice(0, 7)}.zip`);
  const bytes = readFileSync(await archive.path()).toString('latin1');
  expect(bytes.startsWith('PK')).toBe(true);
  expect(bytes).toContain('invoices.csv');
  expect(bytes).toContain('orders.csv');
  await dialog.waitFor({ state: 'detached' });
});
