// Nothing is lost by accident: input, secrets, the list behind the details, the order form; and nothing stays after signing out.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, FRANKFURT, NEW_YORK } from './customer';
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

test.each(inTurn(LANGUAGES))(
  'Escape and a click beside a dialog keep what was typed and what is shown once, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins();
    await customer.opens('/my-account/api-keys');
    await page
      .getByRole('button', { name: customer.text('account:keys.add') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel(customer.text('account:keys.name'), { exact: true });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page
      .getByRole('button', { name: customer.text('account:keys.add') })
      .first()
      .click();
    await name.fill('backup script');
    await page.keyboard.press('Escape');
    await dialog.getByText(customer.text('common:leaving.input')).waitFor();
    await dialog.getByRole('button', { name: customer.text('common:leaving.keep') }).click();
    expect(await name.inputValue()).toBe('backup script');
    await page.mouse.click(5, 5);
    await dialog.getByText(customer.text('common:leaving.input')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText(customer.text('common:leaving.input')).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('backup script');

    await dialog.getByRole('button', { name: customer.text('account:keys.readAll'), exact: true }).click();
    await dialog.getByRole('button', { name: customer.text('account:keys.submit'), exact: true }).click();
    const once = page.getByRole('dialog').filter({ hasText: customer.text('account:keys.once') });
    const secret = (await once.getByRole('code').first().innerText()).trim();
    expect(secret.length).toBeGreaterThan(20);
    // A dialog hears clicks beside it from the next task of the page on.
    await page.evaluate(() => new Promise((later) => setTimeout(later)));
    await page.mouse.click(5, 5);
    await once.getByText(customer.text('common:leaving.once')).waitFor();
    await once.getByRole('button', { name: customer.text('common:leaving.stay') }).click();
    await page.keyboard.press('Escape');
    await once.getByText(secret, { exact: true }).waitFor();
    await once.getByRole('button', { name: customer.text('common:leaving.close') }).click();
    await once.waitFor({ state: 'detached' });
  },
);

test.each(inTurn(LANGUAGES))('going back closes the details of a proxy, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.opensProxyList();
  const [row = ''] = await customer.rows(1);
  const ip = /[\d.]{7,}/.exec(row)?.[0] ?? '';
  const details = async () => {
    await page.getByRole('button', { name: customer.own('list.actionsOf', { Ip: ip }) }).click();
    await page.getByRole('menuitem', { name: customer.own('action.details'), exact: true }).click();
    await page.getByRole('dialog', { name: ip }).waitFor();
  };
  await details();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await customer.heading(customer.own('list.title')).waitFor();
  await page.goForward();
  await page.getByRole('dialog', { name: ip }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('Node')).toBe(false);
});

test.each(inTurn(LANGUAGES))(
  'the order form survives a reload, and a short balance is topped up from it, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins('5.00');
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 2);
    await customer.wants(FRANKFURT, 1);
    const summary = page.getByRole('complementary', { name: customer.text('orders:quote.summary') });
    await summary.getByText('$15.00').first().waitFor();
    await page.reload();
    await summary.getByText('$15.00').first().waitFor();
    await summary.getByText(`${NEW_YORK[language]} × 2`).waitFor();

    await summary.getByRole('link', { name: customer.text('orders:quote.topUp', { Amount: '$10.00' }) }).click();
    const amount = page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true });
    await expect.poll(() => amount.inputValue()).toBe('10.00');
    await page.getByRole('button', { name: customer.text('billing:topUp.submit') }).click();
    await customer.tellsBankTo('approve');
    await customer.seesTopUp('10.00');
    await customer.opensOrderForm();
    await page.getByRole('button', { name: customer.text('orders:quote.buy') }).click();
    await page.waitForURL(/\/order\?OrderId=\d+/);
    await customer.hasBalance('$0.00');

    await customer.opens('/residential-proxies/order');
    const gigabytes = page.getByLabel(customer.text('residential_buy:order.gigabytes'), { exact: true });
    await gigabytes.fill('70');
    await page.reload();
    expect(await gigabytes.inputValue()).toBe('70');
  },
);

test.each(inTurn(LANGUAGES))('signing out in one tab leaves nothing in another, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins('20.00');
  const other = await page.context().newPage();
  await other.goto(`${shop.url}/billing/wallet`);
  await other.getByText('$20.00').first().waitFor();
  await customer.signsOut();
  await other.getByRole('heading', { name: customer.text('auth:login.title'), exact: true }).waitFor();
  expect(await other.getByText('$20.00').count()).toBe(0);
  expect(await other.evaluate(() => sessionStorage.getItem('session') ?? '')).not.toContain('20.00');
});

test.each(inTurn(LANGUAGES))("a list shows the server's own message, in %s", async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  const Message = 'Maintenance until 12:00';
  await page.route('**/api/Wallet/GetTransactionList', (route) =>
    route.fulfill({ json: { Code: 5000, Message, Data: null } }),
  );
  await customer.goesTo('billing', 'billing-transactions');
  await page.getByRole('alert').filter({ hasText: Message }).waitFor();
  await page.unroute('**/api/Wallet/GetTransactionList');
  await page.getByRole('button', { name: customer.text('common:retry') }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test.each(inTurn(LANGUAGES))('a printed order is the order alone, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole('banner').filter({ visible: true }).count()).toBe(0);
  const buttons = page.getByRole('main').getByRole('button').filter({ visible: true });
  // Document numbers are left, which are pressed on the screen and read on paper.
  expect((await buttons.allInnerTexts()).filter((text) => !/^[A-Z-]*\d+/.test(text.trim()))).toEqual([]);
  await page.getByText(customer.text('orders:contents')).waitFor();
  const [left, width] = await page
    .getByRole('main')
    .evaluate((main) => [main.getBoundingClientRect().left, main.getBoundingClientRect().width / innerWidth]);
  expect(left).toBe(0);
  expect(width).toBeGreaterThan(0.95);
});
