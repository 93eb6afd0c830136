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

type SandboxAction = 'refund' | 'dispute' | 'win' | 'lose' | 'arrive' | 'fail';

/** Presses a button on the sandbox's page of a payment that was made, which leads back to the shop. */
export async function tellsGatewayTo(customer: Customer, paid: string, action: SandboxAction): Promise<void> {
  const { page } = customer;
  await page.goto(paid);
  const label = page.getByText(customer.text(`sandbox:${action}.label`), { exact: true });
  await page.getByRole('button').filter({ has: label }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sandbox'));
  await customer.isInTheApp();
}
