// Invoices, credit notes and receipts: downloaded by the customer, issued by an operator's refund, in both languages.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { signIn } from './prepare';
import { type Language, openBrowser, Shop, texts, visit } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Downloads the document with this number, and returns the file. */
async function saves(page: Page, language: Language, number: string): Promise<Buffer> {
  const name = texts(language, 'invoices')('save', { Number: number });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).first().click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  return readFileSync(await file.path());
}

/** A PDF with this number in its metadata. */
function expectPdf(file: Buffer, number: string): void {
  expect(file.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(file.toString('latin1')).toContain(number);
  expect(file.length).toBeLessThan(100_000);
}

const YEAR = new Date().getUTCFullYear();
const CREDIT_NOTE = new RegExp(`CN-${YEAR}-\\d{6}`);
const INVOICE = new RegExp(`INV-${YEAR}-\\d{6}`);
const RECEIPT = /RC-\d{6}/;

test.each(inTurn(LANGUAGES))(
  '%s: a refund by the operator is credited to the wallet, with a credit note',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.comesToOwn([[NEW_YORK, 2]], '20.00');
    await customer.hasBalance('$10.00');
    const orderNumber = (await page.title()).match(/PO\w{10}/)?.[0] ?? '';
    const invoice = (await page.getByRole('main').innerText()).match(INVOICE)?.[0] ?? '';
    expectPdf(await saves(page, language, invoice), invoice);
    const timeline = page.getByRole('list', { name: customer.text('orders:timeline') });
    await expect.poll(() => timeline.innerText()).toContain(customer.text('orders:event.fulfilled'));

    // The operator finds the order by the customer's email, previews the refund, and executes it.
    const desk = await visit(browser, language);
    const t = texts(language, 'orders');
    await signIn(desk.page, shop, language, 'operator@example.com');
    await desk.page.goto(`${shop.url}/order?lang=${language}`);
    await desk.page.getByRole('link', { name: t('operator.all'), exact: true }).click();
    await desk.page.getByRole('searchbox', { name: t('operator.search') }).fill(customer.email);
    await desk.page.getByRole('link', { name: orderNumber, exact: true }).click();
    await desk.page.getByText(t('operator.of', { Email: customer.email })).waitFor();
    await desk.page.getByRole('button', { name: t('refund.open'), exact: true }).click();
    const dialog = desk.page.getByRole('dialog');
    const confirm = (amount: string) => dialog.getByRole('button', { name: t('refund.confirm', { Amount: amount }) });
    await confirm('$10.00').waitFor();
    // One of the two IPs is kept.
    await dialog.getByRole('checkbox').first().uncheck();
    await confirm('$5.00').click();
    await dialog.getByText(texts(language, 'validation')('required')).waitFor();
    await dialog.getByLabel(t('refund.reason')).fill('Too slow 太慢');
    await confirm('$5.00').click();
    await dialog.waitFor({ state: 'detached' });
    const creditNote = (await desk.page.getByText(CREDIT_NOTE).first().innerText()).match(CREDIT_NOTE)?.[0] ?? '';
    expectPdf(await saves(desk.page, language, creditNote), creditNote);

    // The customer sees the refund, its reason and its document: with the order and in the transactions.
    await page.reload();
    await customer.hasBalance('$15.00');
    await customer.sees('Too slow 太慢');
    expectPdf(await saves(page, language, creditNote), creditNote);
    await expect.poll(() => timeline.innerText()).toContain(customer.text('orders:event.refunded'));
    await customer.goesTo('billing', 'billing-transactions');
    // The top-up, the first of three, has a receipt instead.
    const documents = await customer.rows(3);
    const receipt = documents[2]?.match(RECEIPT)?.[0] ?? '';
    expectPdf(await saves(page, language, receipt), receipt);
    await page.getByRole('searchbox', { name: customer.text('billing:transactions.search') }).fill(orderNumber);
    const rows = await customer.rows(2);
    expect(rows[0]).toContain('+$5.00');
    expectPdf(await saves(page, language, invoice), invoice);
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: customer.text('billing:transactions.export') }).click(),
    ]);
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain(`,refund,5.00,15.00,USD,${orderNumber},${creditNote}`);
  },
);

test('billing details are validated at their fields and shown on the next invoice', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  const t = (key: string) => customer.text(`billing:details.${key}`);
  await customer.joins();
  await customer.goesTo('billing', 'billing-transactions');
  await page.getByRole('button', { name: customer.text('billing:transactions.details') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('company')).fill('深圳市云桥网络科技有限公司');
  await dialog.getByLabel(t('taxNumber')).fill('税号');
  // The key that closes the list of countries does not close the dialog.
  await dialog.getByLabel(t('country')).click();
  await page.keyboard.press('Escape');
  await dialog.getByLabel(t('country')).selectOption('CN');
  await dialog.getByRole('button', { name: customer.text('common:save') }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(t('taxNumber')).fill('91440300ma5f12345x');
  await dialog.getByRole('button', { name: customer.text('common:save') }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: customer.text('billing:transactions.details') }).click();
  await expect.poll(() => dialog.getByLabel(t('taxNumber')).inputValue()).toBe('91440300MA5F12345X');
});

test("only operators can open another account's order", async () => {
  const owner = await Customer.arrives(shop, browser, 'en');
  await owner.comesToOwn([[NEW_YORK, 1]], '5.00');
  const orderNumber = (await owner.page.title()).match(/PO\w{10}/)?.[0] ?? '';
  const stranger = await Customer.arrives(shop, browser, 'en');
  await stranger.joins();
  await stranger.opens(`/order?OrderNumber=${orderNumber}`);
  await stranger.sees(stranger.text('orders:empty'));
  await expect.poll(() => stranger.page.getByText(orderNumber).count()).toBe(0);
});
