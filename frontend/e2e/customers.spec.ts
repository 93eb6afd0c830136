// A customer's page for operators: money with a reason, a note, a lost second factor, the shop as the customer sees it, with and without changes,
// and the account's end.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK, PASSWORD } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { ask, buy, type Session } from './prepare';
import { type Language, openBrowser, Shop } from './shop';
import { codeOf } from './totp';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** An operator with the page of a new customer, whose browser is open as well. */
async function opensCustomer(language: Language, balance?: string) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins(balance);
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const own = (key: string, parameters?: Record<string, string | number>) =>
    operator.text(`accounts:${key}`, parameters);
  await operator.goesTo('operator', 'operator-accounts');
  await operator.page.getByRole('searchbox', { name: own('search') }).fill(customer.email);
  await operator.page.getByRole('link', { name: customer.email, exact: true }).click();
  await operator.heading(customer.email).waitFor();
  return { customer, operator, page: operator.page, own };
}

type Opened = Awaited<ReturnType<typeof opensCustomer>>;

/** Fills in the dialog about the wallet, and returns it. */
async function adjusts({ page, own }: Opened, kind: string, amount: string, reason: string) {
  await page.getByRole('button', { name: own('adjust.open') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: new RegExp(`^${own(`adjust.kind.${kind}`)}`) }).check();
  const field = dialog.getByLabel(own('adjust.amountIn', { Currency: 'USD' }));
  await field.fill(amount);
  await dialog.getByLabel(own('adjust.reason'), { exact: true }).fill(reason);
  return { dialog, field };
}

/** Opens the shop as the customer sees it, in a tab of its own. */
async function views({ customer, operator, page, own }: Opened): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: own('view.open') }).click();
  const tab = await opening;
  await tab.getByRole('button', { name: own('view.begin') }).click();
  await tab.waitForURL(/\/welcome\/products$/);
  await barOf(tab, customer)
    .getByRole('button', { name: operator.text('common:view.end') })
    .waitFor();
  return tab;
}

const barOf = (tab: Page, customer: Customer) => tab.getByRole('status').filter({ hasText: customer.email });

test.each(inTurn(LANGUAGES))(
  '%s: money is added and taken with a reason, which the customer reads',
  async (language) => {
    const opened = await opensCustomer(language);
    const { customer, page, own } = opened;
    const reason = `slow proxies, ${language}`;

    const gift = await adjusts(opened, 'goodwill', '5', reason);
    await gift.dialog.getByRole('definition').filter({ hasText: '$5.00' }).waitFor();
    await gift.dialog.getByRole('button', { name: own('adjust.addAmount', { Amount: '$5.00' }) }).click();
    await gift.dialog.waitFor({ state: 'detached' });
    const wallet = page.getByRole('list', { name: own('transactions.title') });
    await wallet.getByText(reason).waitFor();
    const [receipt] = await Promise.all([page.waitForEvent('download'), wallet.getByRole('button').first().click()]);
    expect(receipt.suggestedFilename()).toMatch(/^RC-\d{6}\.pdf$/);
    await page
      .getByRole('list', { name: own('history.title') })
      .getByText(reason)
      .waitFor();
    const subject = customer.text('mail:wallet_credited.subject', { Shop: 'Postern', Amount: '$5.00' });
    expect(await shop.mailTo(customer.email, subject)).toContain(reason);
    await customer.opens('/billing/wallet');
    await customer.hasBalance('$5.00');
    await customer.sees(reason);
    await customer.goesTo('billing', 'billing-transactions');
    await customer.sees(reason);

    // More than there is, then less.
    const taken = await adjusts(opened, 'correction', '5.01', 'entered twice');
    await taken.dialog.getByRole('button', { name: own('adjust.takeAmount', { Amount: '$5.01' }) }).click();
    await taken.dialog.getByText(customer.text('validation:amountMax', { Max: '5.00' })).waitFor();
    expect(await taken.field.getAttribute('aria-invalid')).toBe('true');
    await taken.field.fill('2');
    await taken.dialog.getByRole('button', { name: own('adjust.takeAmount', { Amount: '$2.00' }) }).click();
    await taken.dialog.waitFor({ state: 'detached' });
    await customer.opens('/billing/wallet');
    await customer.hasBalance('$3.00');
    await customer.sees('entered twice');
  },
);

test.each(inTurn(LANGUAGES))('%s: a note is kept, and a lost second factor is turned off', async (language) => {
  const { customer, operator, page, own } = await opensCustomer(language);
  await page.getByLabel(own('note.label')).fill(`pays late, ${language}`);
  await page.getByRole('button', { name: own('note.save') }).click();
  await page.getByText(own('note.saved'), { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: own('twoFactor.turnOff') }).count()).toBe(0);

  const { Secret } = await customer.asks<{ Secret: string }>('User/BeginTwoFactor', { Password: PASSWORD });
  await customer.calls('User/TurnOnTwoFactor', { Code: codeOf(Secret, shop.now()) });
  // All of the customer's sessions will end.
  await customer.page.goto('about:blank');
  await page.reload();
  await operator.isInTheApp();
  expect(await page.getByLabel(own('note.label')).inputValue()).toBe(`pays late, ${language}`);
  await page.getByRole('button', { name: own('twoFactor.turnOff') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(own('twoFactor.hint', { Email: customer.email })).waitFor();
  await dialog.getByLabel(own('twoFactor.reason'), { exact: true }).fill('called back');
  await dialog.getByRole('button', { name: own('twoFactor.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const session = await ask<Session>(shop, 'User/Login', { Email: customer.email, Password: PASSWORD });
  expect(session.User.Email).toBe(customer.email);
});

test.each(inTurn(LANGUAGES))(
  '%s: an operator sees the shop as the customer in one tab, changes nothing, and is the operator again',
  async (language) => {
    const opened = await opensCustomer(language);
    const { customer, operator, page, own } = opened;
    const tab = await views(opened);
    const bar = barOf(tab, customer);
    const nav = tab.getByRole('navigation', { name: customer.text('nav:navigation') });
    await nav.getByText(customer.text('nav:billing'), { exact: true }).waitFor();
    expect(await nav.getByText(customer.text('nav:operator'), { exact: true }).count()).toBe(0);

    // A change is refused, and the reason can be read.
    await tab.goto(`${shop.url}/billing/wallet`);
    await tab.getByLabel(customer.text('billing:lowBalance.threshold', { Currency: 'USD' })).fill('10');
    await tab.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
    await tab.getByText(customer.text('errors:viewOnly')).first().waitFor();

    // The bar is above what sticks to the top, also after scrolling.
    await tab.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const [top, height] = await bar.evaluate((one) => [one.getBoundingClientRect().top, one.clientHeight]);
    expect(top).toBe(0);
    const header = await tab.getByRole('banner').boundingBox();
    expect(header?.y).toBeGreaterThanOrEqual(height ?? 0);

    // Other tabs stay the operator's.
    await page.reload();
    await operator.heading(customer.email).waitFor();
    await bar.getByRole('button', { name: customer.text('common:view.end') }).click();
    await tab.waitForURL(/\/operator\/accounts\/\d+$/);
    await tab.getByRole('heading', { name: customer.email, exact: true }).waitFor();
    expect(await bar.getByRole('button', { name: customer.text('common:view.end') }).count()).toBe(0);
    const history = tab.getByRole('list', { name: own('history.title') });
    await history.getByText(customer.text('audit:action.account_viewed')).waitFor();
  },
);

test('changes that the seller allows in a view are made and recorded, until they are used up', async () => {
  const opened = await opensCustomer('en', '5.00');
  const { customer, operator, page } = opened;
  await buy(shop, await ask<Session>(shop, 'User/Login', { Email: customer.email, Password: PASSWORD }), [
    [NEW_YORK, 1],
  ]);
  const action = operator.text('audit:action.changed_as_customer');

  // Two in each view.
  const t = (key: string, parameters?: Record<string, string>) => operator.text(`prices:${key}`, parameters);
  const limit = t('limit.view_changes');
  await operator.goesTo('operator', 'operator-prices');
  await page.getByRole('radio', { name: t('views.limits'), exact: true }).check();
  const staff = page.getByRole('table', { name: t('staff.title'), exact: true });
  const row = staff.getByRole('row').filter({ hasText: limit });
  await row.getByText(t('limits.none'), { exact: true }).waitFor();
  await row.getByRole('button', { name: t('editOf', { Name: limit }), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('limits.hintViewsLog', { Action: action })).waitFor();
  await dialog.getByLabel(t('limits.mostOf'), { exact: true }).fill('2');
  await dialog.getByRole('button', { name: operator.text('common:save'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('2', { exact: true }).waitFor();

  await operator.goesTo('operator', 'operator-accounts');
  await page.getByRole('searchbox', { name: opened.own('search') }).fill(customer.email);
  await page.getByRole('link', { name: customer.email, exact: true }).click();
  const tab = await views(opened);
  await tab.goto(`${shop.url}/static-residential-proxies/proxy-list`);
  await tab.getByRole('gridcell').first().waitFor();
  // The first checkbox is the header's.
  await tab.getByRole('main').getByRole('checkbox').nth(1).check();
  const form = tab.getByRole('dialog');
  const notes = async (note: string) => {
    const bar = tab.getByRole('toolbar', { name: customer.text('common:selection') });
    await bar.getByRole('button', { name: customer.own('action.note'), exact: true }).click();
    await form.getByLabel(customer.own('note.label'), { exact: true }).fill(note);
    await form.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
  };
  for (const note of ['set up by phone', 'set up again']) {
    await notes(note);
    await form.waitFor({ state: 'detached' });
    await tab.getByRole('gridcell').getByText(note, { exact: true }).waitFor();
  }
  await notes('once more');
  await tab
    .getByText(customer.text('errors:viewChangesUsed', { Max: 2 }))
    .first()
    .waitFor();
  await form.getByRole('button', { name: customer.text('common:cancel'), exact: true }).click();

  await customer.opensProxyList();
  await customer.sees('set up again');
  await operator.opens('/operator/audit-log?Action=changed_as_customer');
  for (const entry of await operator.rows(2)) {
    for (const text of ['operator@example.com', action, customer.email]) expect(entry).toContain(text);
  }
});

test('a view that has expired leads back to the customer', async () => {
  const opened = await opensCustomer('en');
  const { customer, operator } = opened;
  const tab = await views(opened);
  shop.passHours(2);
  await tab.reload();
  await tab.waitForURL(/\/operator\/accounts\/\d+$/);
  await tab.getByRole('heading', { name: customer.email, exact: true }).waitFor();
  // The server's refusal of the old session.
  operator.expectedProblems();
});

test.each(inTurn(LANGUAGES))(
  '%s: an operator requests another address for a customer, and closes the account, whose balance is given up',
  async (language) => {
    const { customer, operator, page, own } = await opensCustomer(language, '40.00');
    // All of the customer's sessions will end.
    await customer.page.goto('about:blank');
    const dialog = page.getByRole('dialog');
    const history = page.getByRole('list', { name: own('history.title') });
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();

    const other = `other-${customer.email}`;
    await page.getByRole('button', { name: own('emailChange.open'), exact: true }).click();
    await dialog.getByText(own('emailChange.how', { Email: customer.email })).waitFor();
    const email = dialog.getByLabel(own('emailChange.new'), { exact: true });
    await email.fill(customer.email);
    await dialog.getByLabel(own('emailChange.reason'), { exact: true }).fill(`called back, ${language}`);
    await press(own('emailChange.submit'));
    await dialog.getByText(operator.text('validation:emailSame')).waitFor();
    await email.fill(other);
    await press(own('emailChange.submit'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(own('emailChange.done', { Email: other }));
    await history.getByText(operator.text('audit:action.email_change_requested')).waitFor();
    await history.getByText(`called back, ${language}`).waitFor();
    await shop.mailTo(other, customer.text('mail:email_change_confirm.subject', { Shop: 'Postern' }));
    // Nothing has changed yet.
    await operator.heading(customer.email).waitFor();

    await page.getByRole('button', { name: own('closing.open'), exact: true }).click();
    await dialog.getByText(own('closing.cannotBeUndone', { Email: customer.email })).waitFor();
    await press(own('closing.submit'));
    await dialog.getByText(operator.text('validation:required')).waitFor();
    await dialog.getByLabel(own('closing.reason'), { exact: true }).fill(`asked by chat, ${language}`);
    await press(own('closing.submit'));
    const losses = dialog.getByRole('list', { name: own('closing.losses') });
    await losses.getByText(own('closing.balance', { Amount: '$40.00' })).waitFor();
    expect(await losses.getByRole('listitem').count()).toBe(1);
    const submit = dialog.getByRole('button', { name: own('closing.submit'), exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(own('closing.accept')).check();
    await submit.click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(own('closing.done', { Email: customer.email }));
    const [closed = ''] = own('terms.closed', { At: '#' }).split('#');
    await operator.sees(closed.trim());
    await history.getByText(operator.text('audit:action.account_closed')).waitFor();
    await history.getByText(`asked by chat, ${language}`).waitFor();
    for (const key of ['closing.open', 'emailChange.open', 'standing.suspend', 'standing.reactivate', 'adjust.open'])
      expect(await page.getByRole('button', { name: own(key), exact: true }).count()).toBe(0);

    await shop.mailTo(customer.email, customer.text('mail:account_closed.subject', { Shop: 'Postern' }));
    const again = await Customer.elsewhere(customer, browser);
    await again.opens('/login');
    await again.fillsLogin();
    await again.sees(again.text('errors:signInFailed'));
  },
);

test.each(inTurn(LANGUAGES))(
  '%s: of two accounts of a customer, one is closed and the other gets its balance',
  async (language) => {
    const { customer, operator, page, own } = await opensCustomer(language, '40.00');
    await customer.page.goto('about:blank');
    const kept = await Customer.arrives(shop, browser, language);
    await kept.joins();
    await page.getByRole('button', { name: own('closing.open'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: own('closing.submit'), exact: true });
    await dialog.getByLabel(own('closing.reason'), { exact: true }).fill('signed up twice');
    await submit.click();
    const losses = dialog.getByRole('list', { name: own('closing.losses') });
    await losses.getByText(own('closing.balance', { Amount: '$40.00' })).waitFor();
    const other = dialog.getByLabel(own('closing.balanceTo'), { exact: true });
    await other.fill(customer.email);
    await losses.waitFor({ state: 'detached' });
    await submit.click();
    await dialog.getByText(operator.text('validation:noOtherAccount')).waitFor();
    await other.fill(kept.email);
    await submit.click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(own('closing.done', { Email: customer.email }));
    await shop.mailTo(kept.email, kept.text('mail:wallet_credited.subject', { Shop: 'Postern', Amount: '$40.00' }));
    await kept.opens('/billing/transactions');
    await kept.sees('signed up twice');
  },
);
