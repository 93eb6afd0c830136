// Prices: an operator raises one, which customers then see, plans another for later, looks ahead, cancels it, changes a limit, and takes products
// off sale and back on.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn } from './languages';
import { dayOf, openBrowser, Shop } from './shop';

const DAY_MS = 86_400_000;

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

// Both languages share the shop: each raises the price further.
test.each(
  inTurn([
    { language: 'en', tier: 'Regular', price: '5.50', later: '6.00', limit: '11' },
    { language: 'zh', tier: '普通', price: '6.50', later: '7.00', limit: '12' },
  ] as const),
)(
  '$language: a price is raised now, another is planned, previewed and cancelled, and a limit is changed',
  async ({ language, tier, price, later, limit }) => {
    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins();
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { page } = operator;
    const t = (key: string, parameters?: Record<string, string | number>) => operator.text(`prices:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    const edits = async (name: string) => {
      await page.getByRole('button', { name: t('editOf', { Name: name }), exact: true }).click();
      await dialog.waitFor();
    };
    const priceField = dialog.getByLabel(t('field.price', { Currency: 'USD' }), { exact: true });
    await operator.goesTo('operator', 'operator-prices');
    await operator.heading(t('title')).waitFor();

    // Now.
    await edits(tier);
    await priceField.fill('0');
    await button(operator.text('common:save')).click();
    await dialog.getByText(operator.text('validation:amountMin', { Min: '0.01' })).waitFor();
    await priceField.fill(price);
    await button(operator.text('common:save')).click();
    await dialog.waitFor({ state: 'detached' });
    const plans = page.getByRole('table', { name: t('tiers.title'), exact: true });
    await plans.getByRole('row').filter({ hasText: tier }).getByText(`$${price}`, { exact: true }).waitFor();
    await customer.opens('/static-residential-proxies/pricing');
    await customer.page
      .getByRole('table', { name: customer.own('pricing.compare'), exact: true })
      .getByText(`$${price}`, { exact: true })
      .first()
      .waitFor();

    // What one IP may carry.
    const limits = t('tierLimits.of', { Name: tier });
    await edits(limits);
    await dialog.getByLabel(t('field.connections'), { exact: true }).fill('0');
    await button(operator.text('common:save')).click();
    await dialog.getByText(operator.text('validation:wholeNumber', { Max: 100_000 })).waitFor();
    await dialog.getByLabel(t('field.connections'), { exact: true }).fill('100');
    await dialog.getByLabel(t('field.megabits'), { exact: true }).fill(limit);
    await button(operator.text('common:save')).click();
    await dialog.waitFor({ state: 'detached' });
    const connections = operator.text('common:limits.connections_other', { count: 100 });
    const bandwidth = operator.text('common:limits.megabits', { Megabits: limit });
    const limited = `${connections} · ${bandwidth}`;
    await page
      .getByRole('table', { name: t('tierLimits.title'), exact: true })
      .getByText(limited)
      .waitFor();
    await customer.opens('/static-residential-proxies/pricing');
    const comparison = customer.page.getByRole('table', { name: customer.own('pricing.compare'), exact: true });
    await comparison.getByText(connections, { exact: true }).waitFor();
    await comparison.getByText(bandwidth, { exact: true }).waitFor();
    await customer.opens('/static-residential-proxies/order');
    await customer.page.getByText(customer.own('limitsPerIp', { Limits: limited })).waitFor();

    // Later.
    const time = `${dayOf(new Date(shop.now().getTime() + 40 * DAY_MS))} 08:00`;
    await edits(tier);
    await priceField.fill(later);
    await dialog.getByRole('radio', { name: new RegExp(`^${t('when.later')}`) }).check();
    await button(t('dialog.plan')).click();
    await dialog.getByText(operator.text('validation:required')).waitFor();
    await dialog.getByLabel(t('when.time'), { exact: true }).fill(time);
    await button(t('dialog.plan')).click();
    await dialog.waitFor({ state: 'detached' });
    const planned = page.getByRole('list', { name: t('planned.title'), exact: true }).getByRole('listitem');
    await planned
      .filter({ hasText: tier })
      .filter({ hasText: `$${later}` })
      .waitFor();
    expect(await planned.innerText()).toContain('operator@example.com');
    // It does not count yet.
    await plans.getByText(`$${price}`, { exact: true }).waitFor();

    // As a customer will see it.
    const preview = page.getByRole('table', { name: t('preview.title'), exact: true });
    await page.getByLabel(t('preview.when'), { exact: true }).selectOption({ index: 1 });
    const marked = preview
      .getByRole('cell')
      .filter({ hasText: `$${later}` })
      .first();
    await marked.waitFor();
    // Today's is struck through beside it.
    expect(await marked.locator('s').innerText()).toContain(`$${price}`);

    await planned.getByRole('button').click();
    await dialog.getByText(t('planned.cancelHint')).waitFor();
    await button(t('planned.cancelConfirm')).click();
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('planned.empty'));
    await expect.poll(() => preview.locator('s').count()).toBe(0);

    await page.getByRole('radio', { name: t('views.limits'), exact: true }).check();
    await edits(t('limit.unpaid_orders'));
    const most = dialog.getByLabel(t('limits.mostOf'), { exact: true });
    await most.fill('many');
    await button(operator.text('common:save')).click();
    await dialog.getByText(operator.text('validation:wholeNumber', { Max: 10_000 })).waitFor();
    await most.fill(limit);
    await button(operator.text('common:save')).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: t('limit.unpaid_orders') });
    await row.getByText(limit, { exact: true }).waitFor();

    // A step of the limit on held IPs is added, and removed.
    await page.getByRole('button', { name: t('hold.add'), exact: true }).click();
    await dialog.getByLabel(t('hold.amount', { Currency: 'USD' }), { exact: true }).fill('12345');
    await dialog.getByLabel(t('hold.ips'), { exact: true }).fill('4321');
    await button(t('hold.submit')).click();
    await dialog.waitFor({ state: 'detached' });
    const step = t('hold.from', { Amount: '$12,345.00' });
    await page.getByRole('button', { name: t('removeOf', { Name: step }), exact: true }).click();
    await button(t('dialog.removeNow')).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('row').filter({ hasText: step }).count()).toBe(0);

    // The address has the view.
    await page.reload();
    await operator.isInTheApp();
    await row.getByText(limit, { exact: true }).waitFor();
  },
);

// Each puts the plan back on sale.
test.each(
  inTurn([
    { language: 'en', tier: 'Regular' },
    { language: 'zh', tier: '普通' },
  ] as const),
)('$language: a plan is paused, which customers then cannot choose, and sold again', async ({ language, tier }) => {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = (key: string, parameters?: Record<string, string | number>) => operator.text(`prices:${key}`, parameters);
  const dialog = page.getByRole('dialog');
  const plan = page
    .getByRole('table', { name: t('tiers.title'), exact: true })
    .getByRole('row')
    .filter({ hasText: tier });
  /** Presses the button beside the price, then that of the dialog. */
  const does = async (action: 'pause' | 'sell') => {
    await page.getByRole('button', { name: t(`sale.${action}Of`, { Name: tier }), exact: true }).click();
    await dialog.getByRole('heading', { name: t(`sale.${action}Of`, { Name: tier }), exact: true }).waitFor();
    await dialog.getByRole('button', { name: t(`sale.${action}`), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const offer = customer.page.getByRole('link', { name: customer.own('pricing.order', { Tier: tier }), exact: true });
  const choices = customer.page.getByRole('group', { name: customer.own('order.tier'), exact: true });
  const choice = choices.getByRole('radio', { name: new RegExp(`^${tier}`) });
  const seesPrices = async () => {
    await customer.opens('/static-residential-proxies/pricing');
    await customer.page.getByRole('table', { name: customer.own('pricing.compare'), exact: true }).waitFor();
  };
  const seesOrderForm = async () => {
    await customer.opens(`/static-residential-proxies/order?plan=${encodeURIComponent('shared ISP proxies plan')}`);
    await choices.getByRole('radio').first().waitFor();
  };

  await seesPrices();
  await offer.waitFor();
  await operator.opens('/operator/prices');
  await does('pause');
  await plan.getByText(t('sale.off'), { exact: true }).waitFor();

  await seesPrices();
  expect(await offer.count()).toBe(0);
  expect(await customer.page.getByRole('columnheader', { name: tier, exact: true }).count()).toBe(0);
  await seesOrderForm();
  expect(await choice.count()).toBe(0);
  // The address names it: the first one on sale is chosen instead.
  expect(await choices.getByRole('radio').first().isChecked()).toBe(true);

  await does('sell');
  await plan.getByText(t('sale.on'), { exact: true }).waitFor();
  await seesPrices();
  await offer.waitFor();
  await seesOrderForm();
  expect(await choice.isChecked()).toBe(true);
});

interface TrafficPrices {
  Prices: { Traffic: { Offers: { PeriodDays: number; Steps: { MinGigabytes: number; Price: string }[] }[] } };
}

test('without its last price, traffic is not on sale', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins();
  const operator = await Customer.comesBack(shop, browser, 'en', 'operator@example.com');
  const { page } = operator;
  const { Prices: before } = await operator.asks<TrafficPrices>('Operator/GetPrices', {});
  await operator.opens('/operator/prices?view=traffic');
  const dialog = page.getByRole('dialog');
  const removals = page.getByRole('button', { name: new RegExp(`^${operator.text('prices:removeOf', { Name: '' })}`) });
  await removals.first().waitFor();
  for (let left = await removals.count(); left > 0; left -= 1) {
    await removals.last().click();
    if (left === 1) await dialog.getByText(operator.text('prices:removal.lastTraffic')).waitFor();
    await dialog.getByRole('button', { name: operator.text('prices:dialog.removeNow'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => removals.count()).toBe(left - 1);
  }
  await operator.sees(operator.text('prices:traffic.empty'));
  await customer.opens('/residential-proxies/order');
  await customer.sees(customer.text('residential_buy:pricing.none'));

  // The shop sells it as before.
  for (const { PeriodDays, Steps } of before.Traffic.Offers) {
    for (const { MinGigabytes, Price } of Steps) {
      const form = { Action: 'set_traffic', Period: String(PeriodDays), FromGb: String(MinGigabytes), Price };
      await operator.calls('Operator/ChangePrice', form);
    }
  }
  await customer.opens('/residential-proxies/order');
  await customer.page.getByLabel(customer.text('residential_buy:order.gigabytes'), { exact: true }).waitFor();
});
