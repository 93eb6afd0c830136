// An operator finds a customer's mail, reads the texts of mails in both languages, examines the shop, and sees its jobs and backups, also on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './axe';
import { Customer, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop, texts } from './shop';
import { beyondWindow } from './widths';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Runs of jobs are stored once a minute, and the screen asks again twice a minute. */
const NOTED_MS = 110_000;

/** The mail server and the public address are asked, each for some seconds at most. */
const EXAMINED_MS = 60_000;

const textsOf =
  (customer: Customer, namespace: string) => (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`${namespace}:${key}`, parameters);

test.each(inTurn(LANGUAGES))('%s: a mail is found, and the texts are read', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');

  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = textsOf(operator, 'mails');
  await operator.goesTo('operator', 'operator-mails');
  await operator.heading(t('title')).waitFor();
  await page.getByRole('searchbox', { name: t('search') }).fill(customer.email);
  await page.waitForURL((url) => url.searchParams.get('Search') === customer.email);
  // The sign-up, the top-up and the purchase.
  const own = page.getByRole('row').filter({ hasText: customer.email });
  const signUp = own.filter({ hasText: t('templates.confirm_sign_up') });
  await signUp.getByText(t('state.sent'), { exact: true }).waitFor();
  await page.getByLabel(t('mail'), { exact: true }).selectOption('purchased');
  await page.getByLabel(t('stateTitle'), { exact: true }).selectOption('sent');
  // Mails are sent within seconds, and the list is fetched again.
  const [purchase = ''] = await operator.rows(1);
  expect(purchase).toContain(customer.email);
  await own.getByText(t('state.sent'), { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('Template')).toBe('purchased');
  await page.reload();
  await operator.isInTheApp();
  await operator.rows(1);
  await page.getByLabel(t('stateTitle'), { exact: true }).selectOption('failed');
  await operator.sees(operator.text('common:noRows'));
  await page.getByLabel(t('stateTitle'), { exact: true }).selectOption('sent');

  // From the mail to its text, in the mail's language.
  await own.getByRole('link', { name: t('templates.purchased'), exact: true }).click();
  const frame = page.frameLocator(`iframe[title="${t('previewOf', { Mail: t('templates.purchased') })}"]`);
  await frame.getByText('PO-20260504-000042').first().waitFor();
  await frame.locator(`html[lang^="${new URL(page.url()).searchParams.get('Language')}"]`).waitFor();
  const languages = page.getByRole('group', { name: t('language'), exact: true });
  const forms = page.getByRole('group', { name: t('form.label'), exact: true });
  for (const [of, name] of [
    ['en', t('languages.en')],
    ['zh', t('languages.zh')],
  ] as const) {
    await languages.getByRole('radio', { name, exact: true }).click();
    await page.getByText(texts(of, 'mail')('purchased.subject_other', { Count: 2 }), { exact: true }).waitFor();
    await frame.locator(`html[lang^="${of}"]`).waitFor();
  }
  await forms.getByRole('radio', { name: t('form.text'), exact: true }).click();
  await page.locator('pre[lang="zh"]').getByText('PO-20260504-000042').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await page.getByRole('link', { name: t('templates.reset_password'), exact: true }).click();
  await page
    .getByRole('navigation', { name: t('view.texts') })
    .locator('[aria-current="true"]')
    .getByText(t('templates.reset_password'))
    .waitFor();
  expect(await axeViolations(page, 'texts')).toEqual([]);
  const { searchParams } = new URL(page.url());
  expect(['Template', 'Language', 'Form'].map((key) => searchParams.get(key))).toEqual([
    'reset_password',
    'zh',
    'text',
  ]);
});

test.each(inTurn(LANGUAGES))('%s: jobs run, and there is no backup yet', async (language) => {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = textsOf(operator, 'system');
  await operator.goesTo('operator', 'operator-system');
  await operator.heading(t('title')).waitFor();
  await page.getByText(t('backups.none'), { exact: true }).waitFor();
  await page.getByText('postern backup FILE', { exact: true }).waitFor();
  const sends = page.getByRole('row').filter({ hasText: t('jobs.send_mails') });
  await sends.getByText(t('state.running'), { exact: true }).waitFor({ timeout: NOTED_MS });
  await page.getByText(/^Postern .*(SQLite|PostgreSQL)$/).waitFor();
  expect(await axeViolations(page, 'system')).toEqual([]);
});

/** Presses the button of the health check, and waits for what it found. */
async function examines({ page }: Customer, t: ReturnType<typeof textsOf>): Promise<void> {
  await page.getByRole('button', { name: t('health.start'), exact: true }).click();
  await page.getByRole('button', { name: t('health.again'), exact: true }).waitFor({ timeout: EXAMINED_MS });
}

test.each(inTurn(LANGUAGES))('%s: the shop is examined, and what to do is told', async (language) => {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = textsOf(operator, 'system');
  await operator.goesTo('operator', 'operator-system');
  await operator.heading(t('health.title')).waitFor();
  await page.getByText(t('health.lead'), { exact: true }).waitFor();
  await examines(operator, t);

  // The demo shop writes its mails into a folder.
  const problems = page.getByRole('list', { name: t('health.toMend'), exact: true });
  const mailServer = problems
    .getByRole('listitem')
    .filter({ hasText: operator.text('doctor:checks.mailServer') })
    .filter({ hasText: operator.text('doctor:remedies.mailServerMissing') });
  await mailServer.getByText(t('health.warning'), { exact: true }).waitFor();

  const fine = page.locator('details').getByRole('listitem');
  const demo = fine.filter({ hasText: operator.text('doctor:found.demoShop') });
  expect(await demo.isVisible()).toBe(false);
  await page.locator('summary').click();
  await demo.waitFor();
  expect(await axeViolations(page, 'examined')).toEqual([]);

  // The result stays for as long as the operator is signed in.
  await operator.goesTo('operator', 'operator-mails');
  await operator.heading(operator.text('mails:title')).waitFor();
  await operator.goesTo('operator', 'operator-system');
  await mailServer.waitFor();
});

test.each(inTurn(LANGUAGES))('%s: both screens fit on a phone', async (language) => {
  const phone = { width: 360, height: 780, touch: true };
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com', phone);
  const { page } = operator;
  const t = textsOf(operator, 'mails');
  await operator.opens('/operator/mails');
  await page
    .getByRole('list', { name: t('view.list'), exact: true })
    .getByRole('listitem')
    .first()
    .waitFor();
  expect(['mails', await beyondWindow(page)]).toEqual(['mails', 0]);
  expect(await axeViolations(page, 'mails')).toEqual([]);
  await operator.opens('/operator/mails?view=texts&Template=auto_top_up_limit');
  const name = t('templates.auto_top_up_limit');
  await page
    .frameLocator(`iframe[title="${t('previewOf', { Mail: name })}"]`)
    .locator('p')
    .first()
    .waitFor();
  expect(['texts', await beyondWindow(page)]).toEqual(['texts', 0]);
  await page.getByLabel(t('mail'), { exact: true }).selectOption('low_balance');
  await operator.heading(t('templates.low_balance')).waitFor();
  await operator.opens('/operator/system');
  const jobs = page.getByRole('list', { name: operator.text('system:runs.title'), exact: true });
  await jobs.getByText(operator.text('system:jobs.upkeep'), { exact: true }).waitFor({ timeout: NOTED_MS });
  await examines(operator, textsOf(operator, 'system'));
  await page.locator('summary').click();
  expect(['system', await beyondWindow(page)]).toEqual(['system', 0]);
  expect(await axeViolations(page, 'system')).toEqual([]);
});
