// Customer tasks, each started from the welcome screen using only what is visible, in at most five clicks, or as few as each says.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClickCounter } from './clickCounter';
import { Customer, PARIS } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { dayOf, type Language, openBrowser, Shop } from './shop';

const MOST_CLICKS = 5;
const EMAIL = 'customer@example.com';
const FIRST = { Page: 1, PageSize: 5, Sort: [], Search: '', Filter: {} };
const GROUP = 'Scrapers';

let browser: Browser;
/** Clicks of each task, by language. */
const counted = new Map<string, Partial<Record<Language, number>>>();

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  console.table([...counted].map(([task, clicks]) => ({ task, ...clicks })));
});

interface Someone {
  customer: Customer;
  counter: ClickCounter;
}

interface Task {
  name: string;
  /** At most this many clicks; `MOST_CLICKS` without. */
  clicks?: number;
  /** Hours between tasks. */
  hoursLater?: number;
  /** Setup of a task. */
  prepare?: (customer: Customer) => Promise<void>;
  run: (someone: Someone) => Promise<void>;
}

const main = ({ page }: Customer) => page.getByRole('main');
const sidebar = (customer: Customer) =>
  customer.page.getByRole('navigation', { name: customer.text('nav:navigation') });
const figure = (customer: Customer, key: string) =>
  main(customer).getByRole('link', { name: new RegExp(`^${customer.text(`welcome:${key}`)}`) });
const quickAction = (customer: Customer, key: string) =>
  customer.page
    .getByRole('navigation', { name: customer.text('welcome:quick.title') })
    .getByRole('link', { name: new RegExp(`^${customer.text(`welcome:quick.${key}`)}`) });
const copied = ({ page }: Customer) => page.evaluate(() => navigator.clipboard.readText());

async function firstIp(customer: Customer): Promise<string> {
  const { Rows } = await customer.asks<{ Rows: { Ip: string }[] }>('Ips/GetUserNodeList', FIRST);
  return Rows[0]?.Ip ?? '';
}

async function makeGroup(customer: Customer): Promise<void> {
  const { Rows } = await customer.asks<{ Rows: { NodeId: number }[] }>('Ips/GetUserNodeList', FIRST);
  const group = await customer.asks<{ GroupId: number }>('Ips/AddUserPlanGroup', { Name: GROUP, Colour: '#1f9ea3' });
  const NodeIds = Rows.slice(0, 3).map(({ NodeId }) => NodeId);
  await customer.calls('Ips/AddToGroup', { GroupId: group.GroupId, NodeIds });
}

/** When the five IPs in Paris were bought. */
let boughtAt = new Date();

const TASKS: Task[] = [
  {
    name: 'buy 5 IPs in Paris',
    clicks: 4,
    run: async ({ customer, counter }) => {
      const { page } = customer;
      const city = PARIS[customer.language];
      await counter.clicksOn(main(customer).getByRole('link', { name: customer.text('welcome:products.buyStatic') }));
      await counter.types(page.getByRole('searchbox', { name: customer.own('order.search') }), city);
      await counter.types(page.getByRole('textbox', { name: city, exact: true }), '5');
      await page.getByText('$25.00').first().waitFor();
      await counter.clicksOn(page.getByRole('button', { name: customer.text('orders:quote.buy') }));
      await customer.sees(customer.text('orders:fulfilled'));
      boughtAt = new Date();
    },
  },
  {
    name: 'top up the wallet with $50',
    run: async ({ customer, counter }) => {
      const { page } = customer;
      await counter.clicksOn(quickAction(customer, 'topUp'));
      await counter.clicksOn(page.getByRole('button', { name: '$50.00', exact: true }).first());
      await counter.clicksOn(page.getByRole('button', { name: customer.text('billing:topUp.submit') }));
      await counter.clicksOn(page.getByRole('button', { name: customer.text('sandbox:approve.hint') }));
      await customer.seesTopUp('50.00');
    },
  },
  {
    name: 'find one IP and copy it',
    run: async ({ customer, counter }) => {
      const { page } = customer;
      const ip = await firstIp(customer);
      await counter.clicksOn(page.getByRole('button', { name: customer.text('nav:search') }));
      const search = page.getByRole('dialog', { name: customer.text('search:title') });
      await counter.types(search.getByRole('combobox'), ip);
      await counter.clicksOn(search.getByRole('option', { name: new RegExp(`^${ip}`) }));
      await customer.rows(1);
      await counter.clicksOn(main(customer).getByRole('button', { name: customer.own('list.copyIp'), exact: true }));
      await expect.poll(() => copied(customer)).toBe(ip);
    },
  },
  {
    name: 'switch one IP',
    run: async ({ customer, counter }) => {
      const { page } = customer;
      const ip = await firstIp(customer);
      await counter.clicksOn(quickAction(customer, 'list'));
      await counter.clicksOn(page.getByRole('button', { name: customer.own('list.actionsOf', { Ip: ip }) }));
      await counter.clicksOn(page.getByRole('menuitem', { name: customer.own('action.switch'), exact: true }));
      const dialog = page.getByRole('dialog');
      await counter.clicksOn(dialog.getByRole('button', { name: customer.own('switch.submit_one', { count: 1 }) }));
      await page.getByRole('dialog', { name: customer.own('switch.done_one', { count: 1 }) }).waitFor();
    },
  },
  {
    name: 'copy all credentials of a group',
    clicks: 3,
    prepare: makeGroup,
    run: async ({ customer, counter }) => {
      const { page } = customer;
      await counter.clicksOn(quickAction(customer, 'groups'));
      await counter.clicksOn(page.getByRole('button', { name: customer.own('groups.copyAllOf', { Name: GROUP }) }));
      await customer.sees(customer.own('list.linesCopied_other', { count: 3 }));
      expect((await copied(customer)).split('\n')).toHaveLength(3);
    },
  },
  {
    name: 'new passwords for all proxies of a group',
    clicks: 4,
    run: async ({ customer, counter }) => {
      const { page } = customer;
      await counter.clicksOn(quickAction(customer, 'groups'));
      await counter.clicksOn(page.getByRole('button', { name: customer.own('groups.actionsOf', { Name: GROUP }) }));
      const change = customer.own('credentials.submit');
      await counter.clicksOn(page.getByRole('menuitem', { name: change, exact: true }));
      await counter.clicksOn(page.getByRole('dialog').getByRole('button', { name: change, exact: true }));
      await customer.sees(customer.own('credentials.done_other', { count: 3 }));
    },
  },
  {
    name: 'download an invoice',
    run: async ({ customer, counter }) => {
      const { page } = customer;
      await counter.goesTo(sidebar(customer), customer.text('nav:billing'), customer.text('nav:billing-transactions'));
      const save = new RegExp(`^${customer.text('invoices:save', { Number: '.+' })}$`);
      const downloading = page.waitForEvent('download');
      await counter.clicksOn(main(customer).getByRole('button', { name: save }).first());
      expect((await downloading).suggestedFilename()).toMatch(/\.pdf$/);
    },
  },
  {
    name: 'create a proxy user with a limit of 10 GB',
    run: async ({ customer, counter }) => {
      const { page } = customer;
      const t = (key: string, parameters?: Record<string, string>) => customer.text(`proxy_users:${key}`, parameters);
      await counter.clicksOn(figure(customer, 'figure.traffic'));
      await counter.clicksOn(page.getByRole('button', { name: t('add'), exact: true }).first());
      const dialog = page.getByRole('dialog');
      await counter.types(dialog.getByLabel(t('form.name'), { exact: true }), 'laptop');
      await counter.types(dialog.getByLabel(t('form.limit'), { exact: true }), '10');
      await counter.clicksOn(dialog.getByRole('button', { name: t('form.add'), exact: true }));
      await page.getByRole('dialog', { name: t('form.added', { Name: 'laptop' }) }).waitFor();
    },
  },
  {
    name: 'see which target used most traffic this week',
    run: async ({ customer, counter }) => {
      await counter.clicksOn(figure(customer, 'figure.traffic'));
      await counter.clicksOn(main(customer).getByRole('radio', { name: customer.text('proxy_users:view.usage') }));
      const target = customer.text('usage:split.target');
      await counter.clicksOn(main(customer).getByRole('radio', { name: target }));
      const table = customer.page.getByRole('table', { name: target });
      await expect.poll(() => table.getByRole('rowheader').first().innerText()).toMatch(/\w\.\w/);
    },
  },
  {
    name: "the PDF of yesterday's order",
    clicks: 3,
    hoursLater: 24,
    run: async ({ customer, counter }) => {
      await counter.clicksOn(sidebar(customer).getByRole('link', { name: customer.text('nav:orders'), exact: true }));
      const row = customer.page
        .getByRole('row')
        .filter({ hasText: dayOf(boughtAt) })
        .filter({ hasText: '$25.00' });
      await counter.clicksOn(row.getByRole('link'));
      await customer.heading(customer.text('orders:timeline')).waitFor();
      await main(customer).getByText(PARIS[customer.language]).first().waitFor();
      const save = new RegExp(`^${customer.text('invoices:save', { Number: '.+' })}$`);
      const downloading = customer.page.waitForEvent('download');
      await counter.clicksOn(main(customer).getByRole('button', { name: save }));
      expect((await downloading).suggestedFilename()).toMatch(/\.pdf$/);
    },
  },
  {
    name: 'see what ends this week',
    run: async ({ customer, counter }) => {
      const soon = customer.text('welcome:figure.endingSoon_other', { count: 3, Days: 7 });
      await counter.clicksOn(main(customer).getByRole('link', { name: soon }));
      await customer.rows(3);
    },
  },
];

describe.each(inTurn(LANGUAGES))('in %s', (language) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  test.each(TASKS)('$name', async ({ name, clicks = MOST_CLICKS, hoursLater, prepare, run }) => {
    if (hoursLater) shop.passHours(hoursLater);
    const customer = await Customer.comesBack(shop, browser, language, EMAIL);
    await prepare?.(customer);
    await customer.opens('/welcome/products');
    await customer.heading(customer.text('welcome:title')).waitFor();
    const counter = new ClickCounter(customer.page);
    await run({ customer, counter });
    counted.set(name, { ...counted.get(name), [language]: counter.clicks });
    expect(counter.clicks).toBeLessThanOrEqual(clicks);
  });
});
