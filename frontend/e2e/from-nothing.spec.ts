// A new shop, from an empty database to the accountant's file: after `postern init` everything is done in the browser. The operator reads Chinese,
// the customer English.
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK, PASSWORD } from './customer';
import { openBrowser, Shop } from './shop';

const BOSS = 'boss@example.com';

let shop: Shop;
let link: string;
let browser: Browser;

beforeAll(async () => {
  const settings = {
    POSTERN_ENV: 'development',
    POSTERN_SHOP_NAME: 'Postern',
    POSTERN_TRANSFER_DETAILS: 'Example Bank\\nIBAN XX00 1234',
  };
  [{ shop, link }, browser] = await Promise.all([Shop.openNew(BOSS, settings), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const press = (within: Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true }).click();

/** A supplier's file of 500 nodes, with its own spellings. */
function supplierFile() {
  const cities = ['New York', 'NEW YORK', 'Chicago', 'Dallas'];
  const lines = Array.from(
    { length: 500 },
    (_, index) =>
      `198.18.${Math.floor(index / 250)}.${(index % 250) + 1},8000,1080,USA,${cities[index % 4]},Northlight Fiber,AS64500,Regular,Acme,$1.20`,
  );
  const head = 'IP,HTTP port,SOCKS5 port,Country,City,ISP,ASN,Ver Str,Supplier,Cost';
  return { name: 'acme.csv', mimeType: 'text/csv', buffer: Buffer.from([head, ...lines].join('\n')) };
}

test('an empty database becomes a shop that sells, repairs, refunds and closes its month, all in the browser', async () => {
  // The first operator chooses a password with the link that `postern init` printed.
  const boss = await Customer.stands(shop, browser, 'zh', BOSS);
  const desk = boss.page;
  const dialog = desk.getByRole('dialog');
  await desk.goto(`${link}&lang=zh`);
  await desk.getByLabel(boss.text('auth:newPassword.label'), { exact: true }).fill(PASSWORD);
  await press(desk.getByRole('main'), boss.text('auth:newPassword.submit'));
  await desk.getByRole('navigation').first().waitFor();

  // Inventory.
  const inventory = (key: string, parameters?: Record<string, string | number>) =>
    boss.text(`inventory:${key}`, parameters);
  await boss.goesTo('operator', 'operator-inventory');
  await boss.sees(inventory('empty.title'));
  await desk
    .getByRole('button', { name: inventory('import.open'), exact: true })
    .first()
    .click();
  await dialog.locator('input[type="file"]').setInputFiles(supplierFile());
  await dialog.getByText(inventory('import.ready_other', { count: 500 })).waitFor();
  await press(dialog, inventory('import.submit_other', { count: 500 }));
  await dialog.waitFor({ state: 'detached' });
  await boss.sees(boss.text('common:range', { From: 1, To: 50, Total: 500 }));

  // Prices.
  await boss.goesTo('operator', 'operator-prices');
  await press(desk.getByRole('main'), boss.text('prices:editOf', { Name: '普通' }));
  await dialog.getByRole('textbox').first().fill('10');
  await press(dialog, boss.text('common:save'));
  await dialog.waitFor({ state: 'detached' });
  await press(desk.getByRole('main'), boss.text('prices:sale.sellOf', { Name: '普通' }));
  await press(dialog, boss.text('prices:sale.sell'));
  await dialog.waitFor({ state: 'detached' });

  // A customer signs up and announces a transfer.
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.signsUp();
  await customer.goesTo('billing', 'billing-wallet');
  await page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true }).fill('50');
  const method = page.getByLabel(customer.text('billing:topUp.method'));
  if (await method.isVisible()) await method.selectOption('transfer');
  await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
  await customer.heading(customer.text('pay:transfer.title')).waitFor();
  const reference = await page.getByRole('definition').filter({ hasNotText: 'Example Bank' }).first().innerText();

  // Two cents are missing; the operator books what came.
  const payments = (key: string, parameters?: Record<string, string | number>) =>
    boss.text(`payments:${key}`, parameters);
  await boss.goesTo('operator', 'operator-payments');
  await desk.getByRole('radio', { name: payments('view.transfers'), exact: true }).click();
  await press(desk.getByRole('main'), payments('confirm.openOf', { OrderNumber: reference }));
  await dialog.getByLabel(payments('confirm.received', { Currency: 'USD' }), { exact: true }).fill('49.98');
  await dialog.getByRole('checkbox', { name: payments('confirm.accept'), exact: true }).check();
  await press(dialog, payments('confirm.submitAmount', { Amount: '$49.98' }));
  await dialog.waitFor({ state: 'detached' });

  // The customer buys two IPs at the shop's own price.
  await customer.opens('/billing/wallet');
  await customer.hasBalance('$49.98');
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, 2);
  await customer.placesOrder();
  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
  // What was bought first is there at once.
  await customer.goesTo('static-residential-proxies', 'proxy-setup');
  await page.getByRole('region', { name: 'curl', exact: true }).getByText('://').first().waitFor();
  await customer.hasBalance('$29.98');
  const { Rows } = await customer.asks<{ Rows: { Ip: string }[] }>('Ips/GetUserNodeList', {});
  const faulty = Rows[0]?.Ip ?? '';
  const { Rows: orders } = await customer.asks<{ Rows: { OrderNumber: string; Kind: string }[] }>(
    'Order/GetOrderList',
    {},
  );
  const order = orders.find(({ Kind }) => Kind === 'purchase')?.OrderNumber ?? '';

  // One is faulty and is replaced.
  await boss.goesTo('operator', 'operator-inventory');
  await desk.getByRole('combobox', { name: inventory('state'), exact: true }).selectOption('assigned');
  await boss.rows(2);
  await desk.getByRole('button', { name: inventory('actionsOf', { Ip: faulty }), exact: true }).click();
  await desk.getByRole('menuitem', { name: inventory('action.replace'), exact: true }).click();
  await dialog.getByLabel(inventory('replace.reason'), { exact: true }).fill('no answer');
  await press(dialog, inventory('replace.submit'));
  await dialog.getByRole('status').waitFor();
  await press(dialog, boss.text('common:done'));
  await customer.opensProxyList();
  await customer.rows(2);
  expect(await page.getByText(faulty, { exact: true }).count()).toBe(0);

  // Part of the order is refunded.
  await boss.opens(`/operator/orders?OrderNumber=${order}`);
  await press(desk.getByRole('main'), boss.text('orders:refund.open'));
  await dialog.getByRole('radio', { name: boss.text('orders:refund.amount') }).check();
  await dialog.getByLabel(boss.text('orders:refund.amountIn', { Currency: 'USD' })).fill('5');
  await dialog.getByLabel(boss.text('orders:refund.reason')).fill('slow for a day');
  await press(dialog, boss.text('orders:refund.confirm', { Amount: '$5.00' }));
  await dialog.waitFor({ state: 'detached' });
  await customer.opens('/billing/wallet');
  await customer.hasBalance('$34.98');

  // The month for the accountant.
  await boss.goesTo('operator', 'operator-invoices');
  await press(desk.getByRole('main'), payments('month.open'));
  await dialog.getByLabel(payments('month.label'), { exact: true }).selectOption({ index: 0 });
  const [archive] = await Promise.all([desk.waitForEvent('download'), press(dialog, payments('month.submit'))]);
  const bytes = readFileSync(await archive.path()).toString('latin1');
  for (const part of ['invoices.csv', 'orders.csv', order, 'INV-', 'CN-', customer.email])
    expect(bytes).toContain(part);

  // The audit log tells all of it.
  await boss.goesTo('operator', 'operator-audit-log');
  const told = [
    'account_terms',
    'nodes_imported',
    'price_changed',
    'price_changed',
    'payment_settled',
    'node_replaced',
    'order_refunded',
  ];
  const rows = (await boss.rows(told.length)).join('\n');
  for (const action of told) expect(rows).toContain(boss.text(`audit:action.${action}`));
  for (const part of ['acme.csv', '500', '$49.98', faulty, '$5.00']) expect(rows).toContain(part);
  expect(shop.runs('ledger', 'verify')).toContain('adds up');
});
