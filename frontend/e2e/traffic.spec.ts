// Residential traffic: bought from the wallet and through a gateway, and its usage.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, discountText } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The order form. */
function orderForm(customer: Customer) {
  const { page } = customer;
  const t = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`residential_buy:${key}`, parameters);
  return {
    t,
    summary: page.getByRole('complementary', { name: customer.text('orders:quote.summary') }),
    amount: page.getByLabel(t('order.gigabytes'), { exact: true }),
    slider: page.getByRole('slider', { name: t('order.slider') }),
    preset: (gigabytes: number) =>
      page.getByRole('radio', { name: new RegExp(`^${t('order.gb', { Count: gigabytes })}`) }),
    buys: () => page.getByRole('button', { name: customer.text('orders:quote.buy') }).click(),
  };
}

async function opensTrafficForm(customer: Customer) {
  await customer.goesTo('residential-proxies', 'order');
  const form = orderForm(customer);
  await customer.heading(form.t('order.title')).waitFor();
  return form;
}

/** The order's screen shows that the traffic was delivered, with amount, validity and expiry. */
async function seesTraffic(customer: Customer, gigabytes: number, period: string) {
  const { page } = customer;
  await customer.sees(customer.text('orders:fulfilled'));
  const main = page.getByRole('main');
  await expect.poll(() => main.innerText()).toContain(customer.text('orders:gigabytes', { Count: gigabytes }));
  await expect.poll(() => main.innerText()).toContain(period);
  await page.getByRole('link', { name: customer.text('orders:toTraffic') }).waitFor();
  // All of it is left.
  await main.getByRole('progressbar').waitFor();
  const left = main.locator('div', {
    has: page.getByText(customer.text('residential_buy:batches.left'), { exact: true }),
  });
  await left.last().getByText(`${gigabytes} GB`, { exact: true }).waitFor();
}

test.each(inTurn(LANGUAGES))('50 GB are bought from the wallet, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins('200.00');
  const form = await opensTrafficForm(customer);
  await customer.sees(form.t('unit'));
  await form.preset(50).check({ force: true });
  await form.summary.getByText('$150.00').first().waitFor();
  await customer.sees(form.t('order.next', { Gigabytes: 100, Price: '$2.60', More: 50, Difference: '$110.00' }));
  await form.buys();
  await page.waitForURL(/\/order\?OrderId=\d+/);
  await seesTraffic(customer, 50, customer.text('orders:days_other', { count: 30 }));
  const [until = ''] = customer.text('orders:summary.until', { Date: '#' }).split('#').filter(Boolean);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain(until.trim());
  await customer.hasBalance('$50.00');

  // It is listed among the purchases, unused, and as traffic in the order list.
  await opensTrafficForm(customer);
  const batch = page.locator('#batches').getByRole('listitem');
  await expect.poll(() => batch.count()).toBe(1);
  await expect.poll(() => batch.innerText()).toContain('50 GB');
  await batch.getByText(form.t('batches.state.running')).waitFor();
  await customer.opens('/order');
  // The top-up is an order, too.
  const rows = await customer.rows(2);
  expect(rows.join()).toContain(`${customer.text('orders:gigabytes', { Count: 50 })} · `);
});

test.each(inTurn(LANGUAGES))('50 GB that never expire are paid through a gateway, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  const form = await opensTrafficForm(customer);
  await page.getByRole('radio', { name: new RegExp(`^${form.t('never')}`) }).check({ force: true });
  await form.amount.fill('50');
  await form.summary.getByText('$190.00').first().waitFor();
  await customer.placesOrder();
  await customer.sees(customer.text('orders:timeLeft'));
  await customer.paysWith('sandbox');
  await customer.tellsBankTo('approve');
  await seesTraffic(customer, 50, customer.text('orders:neverExpires'));
  await customer.hasBalance('$0.00');
  await customer.goesTo('billing', 'billing-products');
  await customer.sees(customer.text('billing:products.traffic.title'));
  await customer.sees(customer.text('billing:products.traffic.gigabytes', { Count: 50 }));
});

test('preset, slider and amount stay in sync, invalid amounts are refused, and the missing balance can be topped up', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins('10.00');
  const form = await opensTrafficForm(customer);
  await form.preset(100).check({ force: true });
  await expect.poll(() => form.amount.inputValue()).toBe('100');
  await form.slider.press('ArrowRight');
  await expect.poll(() => form.amount.inputValue()).toBe('110');
  await form.amount.fill('117');
  await expect.poll(() => form.slider.getAttribute('aria-valuetext')).toBe('117 GB');
  await form.summary.getByText('$304.20').first().waitFor();
  const place = page.getByRole('button', { name: customer.text('orders:quote.place') });
  for (const [typed, text] of [
    ['', customer.text('validation:required')],
    ['0', customer.text('validation:gigabytesMin', { Min: 1 })],
    ['1.5', customer.text('validation:wholeNumber', { Max: '100,000' })],
    ['-3', customer.text('validation:wholeNumber', { Max: '100,000' })],
    ['100001', customer.text('validation:gigabytesMax', { Max: '100,000' })],
  ] as const) {
    await form.amount.fill(typed);
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    await expect.poll(() => place.isDisabled()).toBe(true);
  }
  await form.amount.fill('5');
  await form.summary.getByText(customer.text('orders:quote.balanceShort')).waitFor();
  await page.getByRole('link', { name: customer.text('orders:quote.topUp', { Amount: '$10.00' }) }).click();
  const topUp = page.getByLabel(customer.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true });
  await expect.poll(() => topUp.inputValue()).toBe('10.00');
});

test('a coupon takes a tenth off traffic', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  await customer.joins('200.00');
  const form = await opensTrafficForm(customer);
  await form.preset(50).check({ force: true });
  await form.summary.getByLabel(customer.text('orders:quote.coupon'), { exact: true }).fill('welcome10');
  await form.summary.getByRole('button', { name: customer.text('orders:quote.couponApply'), exact: true }).click();
  await form.summary.getByText('$135.00').first().waitFor();
  await form.buys();
  await customer.sees(discountText(customer, 'coupon', '10%', 'WELCOME10'));
  await seesTraffic(customer, 50, customer.text('orders:days_other', { count: 30 }));
  await customer.hasBalance('$65.00');
});

test.each(inTurn(LANGUAGES))('the price list and the calculator link to the order form, in %s', async (language) => {
  const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com');
  const { page } = customer;
  await customer.opens('/residential-proxies/pricing');
  const t = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`residential_buy:${key}`, parameters);
  const forever = page.getByRole('table', { name: t('never'), exact: true });
  await expect.poll(() => forever.getByRole('row').count()).toBe(7);
  await forever.getByRole('link', { name: t('pricing.order', { Count: 500 }), exact: true }).click();
  const form = orderForm(customer);
  await expect.poll(() => form.amount.inputValue()).toBe('500');
  await form.summary.getByText('$1,400.00').first().waitFor();
  await page.goBack();
  // The order form has a field with the same name.
  await forever.waitFor();
  await page.getByLabel(t('order.gigabytes'), { exact: true }).fill('99');
  await customer.sees(t('order.nextCheaper', { Gigabytes: 100, Price: '$2.60', More: 1, Difference: '$37.00' }));
  await page.getByRole('button', { name: t('order.take', { Count: 100 }), exact: true }).click();
  await page.getByRole('link', { name: t('pricing.orderThese') }).click();
  await expect.poll(() => form.amount.inputValue()).toBe('100');
});

/** A request of a proxy server. */
interface UsageRecord {
  UserName?: string;
  Ip?: string;
  Country: string;
  DownloadBytes: number;
}

/** A registered proxy server. */
class Carrier {
  private readonly secret: string;

  constructor(
    private readonly page: Page,
    readonly name: string,
    kind: 'residential' | 'static',
  ) {
    const address = ['--host', `${name}.example.com`, '--http-port', '8000'];
    this.secret = /[\w-]{32,}/.exec(shop.runs('proxy-server', 'add', name, '--kind', kind, ...address))?.[0] ?? '';
  }

  private post(path: string, data: object) {
    const headers = { Authorization: `Bearer ${this.secret}` };
    return this.page.request.post(`${shop.url}/proxy-server/${path}`, { headers, data });
  }

  async reports(record: UsageRecord): Promise<void> {
    const UsedAt = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const Id = `${this.name}-${record.DownloadBytes}`;
    const sent = { Id, UsedAt, Target: 'shop.example.com:443', UploadBytes: 0, ...record };
    const answer = await this.post('usage', { Records: [sent] });
    expect(await answer.json()).toMatchObject({ Counted: 1, Rejected: [] });
  }

  /** Asks whether a proxy user may connect: returns yes, or the reason for refusal. */
  async asks(userName: string, password: string): Promise<string> {
    const connection = { UserName: userName, Password: password, ClientAddress: '203.0.113.9' };
    const answer = await (await this.post('authorize', connection)).json();
    return answer.Allowed ? 'allowed' : answer.Reason;
  }
}

/** A new user with 5 GB. */
async function buyer(language: Language): Promise<Customer> {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins('20.00');
  const form = await opensTrafficForm(customer);
  await form.amount.fill('5');
  await form.buys();
  await customer.sees(customer.text('orders:fulfilled'));
  return customer;
}

const GERMANY = { en: 'Germany', zh: '德国' };

test.each(inTurn(LANGUAGES))(
  'used traffic is in the chart within ten seconds, for mouse, keyboard and table, in %s',
  async (language) => {
    const customer = await buyer(language);
    const { page } = customer;
    await customer.calls('ProxyUsers/AddProxyUser', { Name: `journey_${language}`, Note: '', LimitCycle: 'none' });
    const carrier = new Carrier(page, `gate-chart-${language}`, 'residential');

    await customer.opens('/residential-proxies/users?view=usage');
    await customer.sees(customer.text('usage:empty'));
    await carrier.reports({
      UserName: `user-journey_${language}-country-de`,
      Country: 'DE',
      DownloadBytes: 1_500_000_000,
    });
    const chart = page.getByRole('slider', { name: new RegExp(`^${customer.text('usage:byDay')}`) });
    await chart.waitFor({ timeout: 10_000 });
    await expect.poll(() => chart.locator('canvas').count()).toBe(1);
    await chart.press('End');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('1.5 GB');
    await page.getByRole('radio', { name: customer.text('common:chart.asTable') }).check({ force: true });
    const table = page.getByRole('table', { name: customer.text('usage:byDay') });
    await expect.poll(() => table.getByRole('row').last().innerText()).toContain('1.5 GB');
    await customer.sees(`journey_${language}`);
    await page.getByRole('radio', { name: customer.text('usage:split.country') }).click({ force: true });
    await customer.sees(GERMANY[language]);
    await page.getByRole('radio', { name: customer.text('usage:split.target') }).click({ force: true });
    await customer.sees('shop.example.com');
  },
);

test.each(inTurn(LANGUAGES))(
  'a proxy user connects until the limit is used up, is refused then, and connects again with a higher one, in %s',
  async (language) => {
    const customer = await buyer(language);
    const { page } = customer;
    const own = (key: string, parameters?: Record<string, string | number>) =>
      customer.text(`proxy_users:${key}`, parameters);
    const [name, password] = [`limited_${language}`, 'battery7staple9horse'];
    const carrier = new Carrier(page, `gate-limit-${language}`, 'residential');
    const connects = () => carrier.asks(`user-${name}-country-de`, password);

    await customer.goesTo('residential-proxies', 'users');
    await page
      .getByRole('main')
      .getByRole('button', { name: own('empty.add'), exact: true })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(own('form.name'), { exact: true }).fill(name);
    await dialog.getByLabel(own('form.password'), { exact: true }).fill(password);
    await dialog.getByLabel(own('form.limit'), { exact: true }).fill('1');
    await dialog.getByRole('button', { name: own('form.add'), exact: true }).click();
    await dialog.getByRole('button', { name: customer.text('common:done'), exact: true }).click();
    await expect.poll(connects, { timeout: 10_000 }).toBe('allowed');

    await carrier.reports({ UserName: `user-${name}`, Country: 'DE', DownloadBytes: 400_000_000 });
    await expect.poll(async () => (await customer.rows(1))[0], { timeout: 15_000 }).toContain('400 MB');
    expect(await connects()).toBe('allowed');
    await carrier.reports({ UserName: `user-${name}`, Country: 'DE', DownloadBytes: 600_000_000 });
    await expect.poll(connects, { timeout: 10_000 }).toBe('exhausted');
    await expect.poll(async () => (await customer.rows(1))[0], { timeout: 15_000 }).toContain(own('state.exhausted'));

    await page.getByRole('button', { name: own('list.actionsOf', { Name: name }) }).click();
    await page.getByRole('menuitem', { name: own('action.edit'), exact: true }).click();
    await dialog.getByLabel(own('form.limit'), { exact: true }).fill('2');
    await dialog.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
    await expect.poll(async () => (await customer.rows(1))[0]).toContain(own('state.active'));
    await expect.poll(connects, { timeout: 10_000 }).toBe('allowed');
  },
);

test.each(inTurn(LANGUAGES))(
  'usage of a static IP is shown beside the proxy list within ten seconds, in %s',
  async (language) => {
    const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com');
    const { page } = customer;
    const carrier = new Carrier(page, `isp-${language}`, 'static');
    await customer.goesTo('static-residential-proxies', 'proxy-list');
    const ip = /127\.\d+\.\d+\.\d+/.exec(
      await page
        .getByRole('main')
        .getByText(/^127\./)
        .first()
        .innerText(),
    )?.[0];
    await page.getByRole('radio', { name: customer.own('list.viewUsage') }).click({ force: true });
    // More than all of the demo's other IPs.
    const row = page
      .getByRole('table', { name: customer.text('usage:split.node') })
      .getByRole('row')
      .nth(1);
    await row.waitFor();
    await carrier.reports({ Ip: ip ?? '', Country: '', DownloadBytes: 7_000_000_000_000 });
    await expect.poll(() => row.innerText(), { timeout: 10_000 }).toMatch(new RegExp(`^${ip}\\s[^]*\\d+ TB`));
    await page.getByRole('radio', { name: customer.text('usage:split.target') }).click({ force: true });
    await customer.sees('shop.example.com');
  },
);
