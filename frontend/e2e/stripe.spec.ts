// Payments at Stripe that do not end at once: the customer turns back, the session expires, the money comes later or never, a saved card is charged and the charge canceled, in both languages.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { openGateways } from './gateways';
import { inTurn, LANGUAGES } from './languages';
import { agreesToCharges, atStripe, autoTopUpText, isFit, press } from './payments';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;
let stripeUrl: string;
let closeGateways: () => Promise<void>;

beforeAll(async () => {
  const opened = Shop.open(async (url) => {
    const gateways = await openGateways(url);
    closeGateways = gateways.close;
    stripeUrl = gateways.stripeUrl;
    return gateways.settings;
  });
  [shop, browser] = await Promise.all([opened, openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await closeGateways();
});

async function arrives(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  return { customer, page: customer.page };
}

test.each(inTurn(LANGUAGES))(
  '%s: who turns back at Stripe pays later, and an expired session is not charged',
  async (language) => {
    const { customer, page } = await arrives(language);
    await customer.opensOrderForm();
    await customer.wants(NEW_YORK, 1);
    await customer.placesOrder();
    const order = page.url();
    await customer.paysWith('stripe');
    await atStripe(page);
    await page.getByRole('link', { name: 'back', exact: true }).click();
    await page.waitForURL(order);
    await customer.unpaidOrders(1).waitFor();
    await customer.paysWith('stripe');
    await atStripe(page);
    await press(page, 'expire');
    await page.waitForURL(order);
    await customer.isInTheApp();
    // Nothing was charged, so it can be paid again.
    await customer.paysWith('stripe');
    await atStripe(page);
    await press(page, 'pay');
    await customer.sees(customer.text('orders:fulfilled'));
    await customer.hasBalance('$0.00');
  },
);

test.each(inTurn(LANGUAGES))('%s: what is confirmed later is credited later', async (language) => {
  const { customer, page } = await arrives(language);
  await customer.startsTopUp('20.00', 'stripe');
  const paid = await atStripe(page);
  await press(page, 'later');
  await customer.sees(customer.text('billing:outcome.pending', { Amount: '$20.00' }));
  await customer.hasBalance('$0.00');
  await isFit(page, 'wallet that waits for Stripe');
  const own = page.url();
  await page.goto(paid);
  await press(page, 'comes');
  await page.goto(own);
  await customer.seesTopUp('20.00');
  await customer.hasBalance('$20.00');
});

test.each(inTurn(LANGUAGES))('%s: what is never confirmed credits nothing', async (language) => {
  const { customer, page } = await arrives(language);
  await customer.startsTopUp('20.00', 'stripe');
  const paid = await atStripe(page);
  await press(page, 'later');
  await customer.sees(customer.text('billing:outcome.pending', { Amount: '$20.00' }));
  const own = page.url();
  await page.goto(paid);
  await press(page, 'never comes');
  await page.goto(own);
  await customer.sees(customer.text('billing:outcome.failed'));
  await customer.hasBalance('$0.00');
});

/** Saves a card at Stripe, and allows it to be charged. */
async function allowsCharges(customer: Customer, card: 'slow' | 'declined'): Promise<void> {
  const { page } = customer;
  const t = (key: string, parameters?: Record<string, string>) => autoTopUpText(customer, key, parameters);
  await customer.goesTo('billing', 'billing-wallet');
  const Method = customer.text('billing:method.stripe');
  await page.getByRole('button', { name: t('addCardWith', { Method }), exact: true }).click();
  await page.waitForURL(/\/pay\/cs_/);
  await press(page, card);
  await customer.sees(t('request.succeeded'));
  await agreesToCharges(customer, 'Visa •••• 4242', ['10.00', '20.00', '40.00']);
}

const DECISIONS = [
  { language: 'en', action: 'succeed' },
  { language: 'zh', action: 'cancel' },
] as const;

test.each(DECISIONS)('$language: a slow charge of a saved card is decided at Stripe: $action', async (one) => {
  const { customer, page } = await arrives(one.language);
  const t = (key: string) => autoTopUpText(customer, key);
  await allowsCharges(customer, 'slow');
  await customer.sees(t('state.charging'));
  // The newest is the first.
  await page.goto(`${stripeUrl}/dashboard`);
  await page.getByRole('link').first().click();
  await page.waitForURL(/\/dashboard\/pi_\d/);
  await press(page, one.action);
  await customer.opens('/billing/wallet');
  if (one.action === 'succeed') {
    await customer.sees(t('state.active'));
    await customer.hasBalance('$20.00');
  } else {
    await customer.sees(t('state.retrying'));
    await customer.sees(t('failure.declined'));
    await customer.hasBalance('$0.00');
  }
});

test.each(inTurn(LANGUAGES))('%s: a saved card that the bank declines says why', async (language) => {
  const { customer } = await arrives(language);
  const t = (key: string) => autoTopUpText(customer, key);
  await allowsCharges(customer, 'declined');
  await customer.sees(t('state.retrying'));
  await customer.sees(t('failure.insufficient_funds'));
  await customer.hasBalance('$0.00');
});
