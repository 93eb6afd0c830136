// What journeys about payments share: an operator's views of payments, pages of payments that everyone can use, and buttons that lead to another page.
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeViolations } from './axe';
import { Customer } from './customer';
import type { Language, Shop } from './shop';
import { beyondWindow } from './widths';

const PHONE = { width: 360, height: 780 };

/** An operator on a view of the payments. */
export async function operatesPayments(shop: Shop, browser: Browser, language: Language, view: string) {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = (key: string, parameters?: Record<string, string | number>) => operator.text(`payments:${key}`, parameters);
  await operator.goesTo('operator', 'operator-payments');
  await operator.heading(t('title')).waitFor();
  const views = page.getByRole('group', { name: t('view.label'), exact: true });
  await views.getByRole('radio', { name: t(`view.${view}`), exact: true }).click();
  await operator.sees(t(`lead.${view}`));
  return { operator, page, t, dialog: page.getByRole('dialog') };
}

/** Whether a page can be read by everyone, and fits on a phone. */
export async function isFit(page: Page, name: string): Promise<void> {
  expect(await axeViolations(page, name)).toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  // Charts and lists follow the window a moment later.
  await expect.poll(() => beyondWindow(page), { message: name }).toBe(0);
  if (size) await page.setViewportSize(size);
}

/** Presses a button on a page of a gateway, which leads to another page. */
export const press = (page: Page, name: string) =>
  Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);

/** Begins a top-up, and waits for the page on which it is paid. */
export async function beginsTopUp(customer: Customer, amount: string, gateway: 'btcpay' | 'epay', hint?: string) {
  await customer.startsTopUp(amount, gateway, hint);
  await customer.heading(customer.text(`pay:${gateway}.title`)).waitFor();
}

/** Pays on the page of the sandbox or of Stripe; returns the page on which the payment is taken back. */
export async function paysAt(customer: Customer, gateway: 'sandbox' | 'stripe'): Promise<string> {
  const { page } = customer;
  if (gateway === 'sandbox') {
    await customer.heading(customer.text('sandbox:pay')).waitFor();
    const paid = page.url();
    await customer.tellsBankTo('approve');
    return paid;
  }
  const paid = await atStripe(page);
  await press(page, 'pay');
  return paid;
}

/** Waits until a customer is at Stripe; returns the payment's page in the seller's dashboard there. */
export async function atStripe(page: Page): Promise<string> {
  await page.waitForURL(/\/pay\/cs_/);
  return page.url().replace('/pay/', '/dashboard/pi_of_');
}

type GatewayAction = 'refund' | 'dispute' | 'win' | 'lose' | 'arrive' | 'fail';

/** Presses a button on a gateway's page of a payment that was made, and comes back to the shop. */
export async function tellsGatewayTo(customer: Customer, paid: string, action: GatewayAction): Promise<void> {
  const { page } = customer;
  await page.goto(paid);
  if (paid.includes('/dashboard/')) {
    await press(page, action);
    await customer.opens('/billing/wallet');
    return;
  }
  const label = page.getByText(customer.text(`sandbox:${action}.label`), { exact: true });
  await page.getByRole('button').filter({ has: label }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sandbox'));
  await customer.isInTheApp();
}

export const autoTopUpText = (customer: Customer, key: string, parameters: Record<string, string> = {}) =>
  customer.text(`billing:autoTopUp.${key}`, { Currency: 'USD', ...parameters });

/** Fills in the form of automatic top-ups, checks the consent text and agrees. */
export async function agreesToCharges(
  customer: Customer,
  card: string,
  [threshold, amount, limit]: [string, string, string],
): Promise<void> {
  const t = (key: string, parameters?: Record<string, string>) => autoTopUpText(customer, key, parameters);
  const form = customer.page.getByRole('form', { name: t('title') });
  await form.getByLabel(t('threshold')).fill(threshold);
  await form.getByLabel(t('amount'), { exact: true }).fill(amount);
  await form.getByLabel(t('monthlyLimit')).fill(limit);
  await form.getByRole('button', { name: t('turnOn'), exact: true }).click();
  const [Threshold, Amount, Limit] = [`$${threshold}`, `$${amount}`, `$${limit}`];
  const dialog = customer.page.getByRole('dialog');
  await dialog.getByText(t('agree', { Shop: 'Postern', Card: card, Threshold, Amount, Limit })).waitFor();
  await dialog.getByRole('button', { name: t('agreeSubmit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
