// Automatic top-ups and the low-balance alert: a card that works, one that is declined, and one that is not saved.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { agreesToCharges, autoTopUpText as own } from './payments';
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

/** Enters a sandbox card, and returns to the wallet. */
async function addsCard(customer: Customer, card: 'good' | 'declining' | 'cancelled', button = 'addCard') {
  await customer.page.getByRole('button', { name: own(customer, button), exact: true }).click();
  await customer.heading(customer.text('sandbox:card.choose')).waitFor();
  await customer.page.getByRole('button', { name: customer.text(`sandbox:card.${card}.hint`) }).click();
  await customer.heading(customer.text('billing:wallet.title')).waitFor();
}

async function buys(customer: Customer, quantity: number) {
  await customer.opensOrderForm();
  await customer.wants(NEW_YORK, quantity);
  await customer.placesOrder();
  await customer.paysWith('wallet');
  await customer.sees(customer.text('orders:fulfilled'));
}

/** Polls the demo mailbox for an email to the customer that contains these words. */
async function getsMail(customer: Customer, ...words: string[]) {
  const page = await customer.visit.context.newPage();
  await expect
    .poll(async () => {
      await page.goto(`${shop.url}/demo/mail?view=text&lang=${customer.language}`);
      const mails = await page.getByRole('listitem').filter({ hasText: customer.email }).allInnerTexts();
      return mails.some((mail) => words.every((word) => mail.includes(word)));
    })
    .toBe(true);
  await page.close();
}

test.each(inTurn(LANGUAGES))(
  'a low balance sends an email and is topped up from the saved card, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins('30.00');
    await customer.goesTo('billing', 'billing-wallet');
    await customer.sees(own(customer, 'noCard'));
    await addsCard(customer, 'good');
    await customer.sees(own(customer, 'request.succeeded'));
    await customer.sees('Visa •••• 4242');
    await agreesToCharges(customer, 'Visa •••• 4242', ['20.00', '50.00', '100.00']);
    await customer.sees(own(customer, 'state.active'));
    await customer.page.getByLabel(customer.text('billing:lowBalance.threshold', { Currency: 'USD' })).fill('25');
    const alert = customer.page.getByRole('button', { name: customer.text('common:save'), exact: true });
    await alert.click();
    await customer.sees(customer.text('billing:lowBalance.saved'));

    await buys(customer, 3);
    await customer.goesTo('billing', 'billing-wallet');
    await customer.hasBalance('$65.00');
    await customer.sees(own(customer, 'used', { Used: '$50.00', Limit: '$100.00' }));
    const mailed = { Amount: '$50.00', Shop: 'Postern' };
    await getsMail(customer, customer.text('mail:auto_top_up_done.subject', mailed), 'Visa •••• 4242');
    const low = { Shop: 'Postern', Balance: '$15.00' };
    await getsMail(customer, customer.text('mail:low_balance.subject', low), '$25.00');

    await customer.goesTo('billing', 'billing-transactions');
    const movements = await customer.rows(3);
    expect(movements[0]).toContain(customer.text('billing:transactions.kind.auto_top_up'));
    expect(movements[0]).toContain('+$50.00');
  },
);

test('a declined card shows the reason, and another card replaces it', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  await addsCard(customer, 'cancelled');
  await customer.sees(own(customer, 'request.failed'));
  await addsCard(customer, 'declining');
  await agreesToCharges(customer, 'Visa •••• 0341', ['10.00', '20.00', '40.00']);
  await customer.sees(own(customer, 'state.retrying'));
  await customer.sees(own(customer, 'failure.declined'));
  await getsMail(customer, 'Visa •••• 0341', own(customer, 'failure.declined'));
  await addsCard(customer, 'good', 'replaceCard');
  await customer.sees(own(customer, 'request.replaced'));
  await customer.hasBalance('$20.00');
  await customer.sees(own(customer, 'state.active'));

  await customer.page.getByRole('button', { name: own(customer, 'removeCard'), exact: true }).click();
  const dialog = customer.page.getByRole('dialog');
  await dialog.getByRole('button', { name: own(customer, 'removeCard'), exact: true }).click();
  await customer.sees(own(customer, 'noCard'));
  await customer.sees(own(customer, 'state.off'));
});

test('invalid input is refused at its field before the consent is shown', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  await customer.goesTo('billing', 'billing-wallet');
  await addsCard(customer, 'good');
  const form = customer.page.getByRole('form', { name: own(customer, 'title') });
  await form.getByLabel(own(customer, 'amount'), { exact: true }).fill('20');
  await form.getByLabel(own(customer, 'monthlyLimit')).fill('10');
  await form.getByRole('button', { name: own(customer, 'turnOn'), exact: true }).click();
  await form.getByText(customer.text('validation:amountMin', { Min: '20.00' })).waitFor();
  await form.getByText(customer.text('validation:required')).waitFor();
  await expect.poll(() => customer.page.getByRole('dialog').count()).toBe(0);
});
