// What the seller tells all customers: an announcement, which they see until they close it, and the terms, which they accept.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './axe';
import { Customer, PASSWORD } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

const BOSS = 'boss@example.com';

let shop: Shop;
let browser: Browser;
/** Published terms cannot be taken back, so their shops are of their own. */
const shopsWithTerms: Shop[] = [];

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([shop, ...shopsWithTerms].map((one) => one.close()));
});

const textsOf =
  (customer: Customer, namespace: string) => (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`${namespace}:${key}`, parameters);

/** Loads the page again, and waits until this call has been answered. */
async function reloadsUntil({ page }: Customer, call: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(`/api/${call}`));
  await page.reload();
  await answered;
}

test.each(
  inTurn([
    { language: 'en', other: 'zh', field: 'form.textEn', text: 'Maintenance on Sunday', next: 'Maintenance on Monday' },
    { language: 'zh', other: 'en', field: 'form.textZh', text: '周日维护', next: '周一维护' },
  ] as const),
)(
  '$language: an announcement is seen by those who read its language, stays closed, and comes back once it is changed',
  async ({ language, other, field, text, next }) => {
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { page: desk } = operator;
    const t = textsOf(operator, 'announcements');
    const dialog = desk.getByRole('dialog');
    const submits = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    await operator.goesTo('operator', 'operator-announcements');
    await operator.heading(t('title')).waitFor();
    await desk
      .getByRole('button', { name: t('list.add'), exact: true })
      .first()
      .click();
    await submits(t('form.publish'));
    await dialog.getByText(operator.text('validation:textInOneLanguage')).waitFor();
    await dialog.getByRole('radio', { name: t('tone.warning'), exact: true }).check();
    await dialog.getByLabel(t(field), { exact: true }).fill(text);
    await dialog
      .getByRole('region', { name: `${t('form.preview')}: ${t(field)}` })
      .getByText(text)
      .waitFor();
    await dialog.getByLabel(t('form.link'), { exact: true }).fill('/status');
    await submits(t('form.publish'));
    await dialog.waitFor({ state: 'detached' });
    const list = desk.getByRole('list', { name: t('list.title'), exact: true });
    await list.getByText(text, { exact: true }).waitFor();
    await list.getByText(t('state.shown'), { exact: true }).waitFor();
    // Operators have the list.
    const bannerOf = (customer: Customer) =>
      customer.page.getByRole('region', { name: customer.text('common:announcement.list'), exact: true });
    expect(await bannerOf(operator).count()).toBe(0);

    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins();
    const banner = bannerOf(customer);
    await banner.getByText(text, { exact: true }).waitFor();
    expect(await axeViolations(customer.page, 'announcement')).toEqual([]);
    await banner.getByRole('link', { name: customer.text('common:announcement.more'), exact: true }).click();
    await customer.heading(customer.text('status:title')).waitFor();
    const LIST = 'SystemSettings/GetAnnouncementList';
    const stranger = await Customer.arrives(shop, browser, other);
    await stranger.joins();
    await reloadsUntil(stranger, LIST);
    await stranger.isInTheApp();
    expect(await bannerOf(stranger).count()).toBe(0);

    await banner.getByRole('button', { name: customer.text('common:announcement.close'), exact: true }).click();
    await banner.waitFor({ state: 'detached' });
    await reloadsUntil(customer, LIST);
    await customer.isInTheApp();
    await customer.heading(customer.text('status:title')).waitFor();
    expect(await banner.count()).toBe(0);

    await desk.getByRole('button', { name: t('list.edit', { Text: text }), exact: true }).click();
    await dialog.getByLabel(t(field), { exact: true }).fill(next);
    await submits(operator.text('common:save'));
    await dialog.waitFor({ state: 'detached' });
    await customer.page.reload();
    await banner.getByText(next, { exact: true }).waitFor();

    await desk.getByRole('button', { name: t('list.delete', { Text: next }), exact: true }).click();
    await submits(t('delete.confirm'));
    await dialog.waitFor({ state: 'detached' });
    await list.waitFor({ state: 'detached' });
    await reloadsUntil(customer, LIST);
    await customer.isInTheApp();
    await expect.poll(() => banner.count()).toBe(0);
  },
);

const TERMS = { en: '# Payment\n\nYou pay first.\n\n- No spam', zh: '# 付款\n\n先付款后使用。\n\n- 禁止垃圾邮件' };
const HEADINGS = { en: 'Payment', zh: '付款' };

test.each(inTurn(LANGUAGES))(
  '%s: terms are published, accepted by a customer once, and by those who sign up',
  async (language) => {
    const settings = { POSTERN_ENV: 'development', POSTERN_SHOP_NAME: 'Postern' };
    const { shop: own, link } = await Shop.openNew(BOSS, settings);
    shopsWithTerms.push(own);
    const boss = await Customer.stands(own, browser, language, BOSS);
    const { page: desk } = boss;
    const t = textsOf(boss, 'announcements');
    const Kind = t('kind.terms');
    await desk.goto(`${link}&lang=${language}`);
    await desk.getByLabel(boss.text('auth:newPassword.label'), { exact: true }).fill(PASSWORD);
    await desk.getByRole('button', { name: boss.text('auth:newPassword.submit'), exact: true }).click();
    await desk.getByRole('navigation').first().waitFor();

    // Before there are terms, nobody accepts any.
    const customer = await Customer.arrives(own, browser, language);
    await customer.signsUp();

    await boss.goesTo('operator', 'operator-announcements');
    await desk.getByRole('radio', { name: t('view.legal'), exact: true }).check();
    await desk.getByRole('link', { name: t('legal.firstOf', { Kind }), exact: true }).click();
    await boss.heading(t('write.title.terms')).waitFor();
    await desk.getByLabel(t('write.bodyEn'), { exact: true }).fill(TERMS.en);
    await desk.getByLabel(t('write.bodyZh'), { exact: true }).fill(TERMS.zh);
    // It is not lost by leaving.
    await desk.getByRole('link', { name: t('write.back'), exact: true }).click();
    await boss.sees(t('legal.draft'));
    await desk.getByRole('link', { name: t('legal.resumeOf', { Kind }), exact: true }).click();
    await desk.getByRole('radio', { name: t('write.preview'), exact: true }).check();
    for (const heading of Object.values(HEADINGS)) await boss.heading(heading).waitFor();
    expect(await axeViolations(desk, 'editor')).toEqual([]);
    await desk.getByRole('button', { name: t('write.publish'), exact: true }).click();
    const question = desk.getByRole('dialog');
    await question.getByRole('heading', { name: t('write.confirm', { Version: 1 }), exact: true }).waitFor();
    await question.getByRole('button', { name: t('write.confirmPublish'), exact: true }).click();
    const versions = desk.getByRole('list', { name: t('legal.historyOf', { Kind }), exact: true });
    await versions.getByText(t('legal.acceptedBy_other', { count: 0 }), { exact: true }).waitFor();

    // At the next visit, the customer is asked, and there is no way around it.
    const { page } = customer;
    await page.reload();
    const dialog = page.getByRole('dialog', { name: customer.text('legal:accept.title'), exact: true });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    expect(await axeViolations(page, 'accept')).toEqual([]);
    const Text = customer.text('common:legal.terms');
    const [reading] = await Promise.all([
      customer.visit.context.waitForEvent('page'),
      dialog.getByRole('link', { name: customer.text('legal:accept.openNote', { Text }), exact: true }).click(),
    ]);
    await reading.getByRole('heading', { name: HEADINGS[language], exact: true }).waitFor();
    expect(new URL(reading.url()).pathname).toBe('/terms');
    expect(await axeViolations(reading, 'terms')).toEqual([]);
    await reading.close();
    await dialog.getByRole('button', { name: customer.text('legal:accept.submit'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await reloadsUntil(customer, 'User/GetUserInfo');
    await customer.isInTheApp();
    expect(await dialog.count()).toBe(0);
    await desk.reload();
    await versions.getByText(t('legal.acceptedBy_one', { count: 1 }), { exact: true }).waitFor();

    // Sign-ups must accept them, and are not asked again.
    const newcomer = await Customer.arrives(own, browser, language);
    const n = textsOf(newcomer, 'auth');
    await newcomer.opens('/sign-up');
    const box = newcomer.page.getByRole('checkbox', {
      name: n('signUp.acceptOne', { Text: n('signUp.termsLink') }),
      exact: true,
    });
    await box.waitFor();
    await newcomer.page.getByLabel(n('email'), { exact: true }).fill(newcomer.email);
    await newcomer.page.getByLabel(n('password'), { exact: true }).fill(PASSWORD);
    const create = newcomer.page.getByRole('button', { name: n('signUp.submit'), exact: true });
    await create.click();
    await newcomer.sees(newcomer.text('validation:acceptTexts'));
    expect(await axeViolations(newcomer.page, 'sign-up')).toEqual([]);
    await box.check();
    await create.click();
    await newcomer.heading(n('signUp.sent')).waitFor();
    await newcomer.followsMailedLink('confirm_sign_up');
    await newcomer.page.getByRole('navigation').first().waitFor();
    await reloadsUntil(newcomer, 'User/GetUserInfo');
    await newcomer.isInTheApp();
    expect(await newcomer.page.getByRole('dialog').count()).toBe(0);
    // The account menu leads to them as well.
    await newcomer.page.getByRole('button', { name: newcomer.text('common:account'), exact: true }).click();
    await newcomer.page.getByRole('menuitem', { name: Text, exact: true }).click();
    await newcomer.heading(Text).waitFor();
    await newcomer.heading(HEADINGS[language]).waitFor();
  },
);
