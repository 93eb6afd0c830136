// Every list can be sorted by its headers, by mouse and keyboard: checks the rows, not only the arrows.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
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

interface Sorted {
  /** Text of the header. */
  title: string;
  /** Expected values of another column, where the sorted column has the same text in all rows. */
  other?: { title: string; ascending: string[] };
}

interface List {
  email: string;
  path: string;
  call: string;
  /** Sortable columns: every other header has no arrow. */
  sorted: Sorted[];
  before?: (customer: Customer) => Promise<void>;
}

const NODES = '/static-residential-proxies';
const own = (key: string) => `static_residential_proxies:${key}`;

const LISTS: Record<string, List> = {
  proxies: {
    email: 'customer@example.com',
    path: `${NODES}/proxy-list`,
    call: 'Ips/GetUserNodeList',
    sorted: ['ip', 'place', 'state', 'expires', 'tier'].map((key) => ({ title: own(`list.${key}`) })),
    before: (customer) => customer.showsColumn(customer.own('list.tier')),
  },
  'replaced proxies': {
    email: 'customer@example.com',
    path: `${NODES}/replaced`,
    call: 'Ips/UserGetSwitchRecording',
    sorted: [{ title: own('replaced.time') }, { title: own('replaced.old') }, { title: own('replaced.new') }],
    before: async (customer) => {
      for (const NodeId of await nodesOf(customer)) {
        await customer.calls('Ips/SwitchNodeByUnitPrice', { NodeIds: [NodeId] });
        // Each in a second of its own.
        shop.passHours(1);
      }
    },
  },
  'proxies for sale': {
    email: 'customer@example.com',
    path: `${NODES}/order?Country=DE`,
    call: 'Ips/GetMyPurchasableNodeList',
    sorted: [{ title: own('list.place') }, { title: own('list.isp') }],
    before: (customer) => customer.page.getByRole('radio', { name: customer.own('order.exact') }).check(),
  },
  orders: {
    email: 'customer@example.com',
    path: '/order',
    call: 'Order/GetOrderList',
    sorted: [{ title: 'orders:created' }, { title: 'orders:total' }],
  },
  transactions: {
    email: 'customer@example.com',
    path: '/billing/transactions',
    call: 'Wallet/GetTransactionList',
    sorted: [{ title: 'billing:transactions.time' }],
  },
  "everybody's orders": {
    email: 'operator@example.com',
    path: '/operator/orders',
    call: 'Operator/GetOrderList',
    sorted: [{ title: 'orders:created' }, { title: 'orders:total' }],
  },
  accounts: {
    email: 'operator@example.com',
    path: '/operator/accounts',
    call: 'Operator/GetAccountList',
    // In order of sign-up: the demo staff last.
    sorted: [
      {
        title: 'accounts:since',
        other: {
          title: 'accounts:email',
          ascending: [
            'customer@example.com',
            'mia@example.net',
            'jonas@example.net',
            'lin@example.org',
            'omar@example.net',
            'ada@example.org',
            'kai@example.org',
            'reseller@example.com',
            'operator@example.com',
          ],
        },
      },
    ],
  },
};

async function nodesOf(customer: Customer): Promise<number[]> {
  const answered = customer.page.waitForResponse('**/api/Ips/GetUserNodeList');
  await customer.opens(`${NODES}/proxy-list`);
  const { Data } = await (await answered).json();
  await customer.page.getByRole('grid').or(customer.page.getByRole('treegrid')).waitFor();
  return Data.Rows.slice(0, 3).map((row: { NodeId: number }) => row.NodeId);
}

const numberOf = (text: string) =>
  /^[+−-]?\$[\d,]+\.\d\d$/.test(text) ? Number(text.replace(/[$,]/g, '')) : undefined;

/** Parses "in 3 days", "1 day ago". */
function daysFromNow(text: string): number | undefined {
  const [, ahead, ago] = /^(?:in (\d+) days?|(\d+) days? ago)$/.exec(text) ?? [];
  return ahead ? Number(ahead) : ago ? -Number(ago) : undefined;
}

/** Sort key of a text: amounts by value, addresses and times as written, places without accents. */
function compare(one = '', other = ''): number {
  const [early, late] = [daysFromNow(one), daysFromNow(other)];
  if (early !== undefined && late !== undefined) return early - late;
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined) return a - b;
  if (/^\d/.test(one)) return one < other ? -1 : Number(one > other);
  return one.localeCompare(other, 'en');
}

/** Response to the list's request with this sort order. */
const asAsked = (page: Page, call: string, field: string | null, direction: string) =>
  page.waitForResponse((response) => {
    if (!response.url().endsWith(`/api/${call}`)) return false;
    const [sort, ...others] = response.request().postDataJSON().Sort ?? [];
    return sort?.Field === field && sort?.Direction === direction && others.length === 0;
  });

for (const [name, list] of Object.entries(LISTS)) {
  test(`a list of ${name} is sorted by its headers`, async () => {
    const customer = await Customer.comesBack(shop, browser, 'en', list.email);
    const { page } = customer;
    if (list.path.includes('replaced')) await list.before?.(customer);
    await customer.opens(list.path);
    if (!list.path.includes('replaced')) await list.before?.(customer);
    await page.getByRole('gridcell').first().waitFor();

    const heads = page.getByRole('columnheader');
    const sortable = await heads.and(page.locator('[aria-sort]')).allInnerTexts();
    expect(sortable).toEqual(list.sorted.map(({ title }) => customer.text(title)));

    for (const { title, other } of list.sorted) {
      const head = page.getByRole('columnheader', { name: customer.text(title), exact: true });
      const field = await head.getAttribute('col-id');
      const sees = async (direction: 'asc' | 'desc') => {
        // The first line of a cell is its sort value.
        const values = (await customer.column(customer.text(other?.title ?? title))).map((cell) => cell.split('\n')[0]);
        const ordered = other ? [...other.ascending] : [...values].sort(compare);
        return JSON.stringify(values) === JSON.stringify(direction === 'asc' ? ordered : ordered.reverse());
      };
      // Once by mouse, then by keyboard, and by keyboard back to the initial order.
      for (const direction of ['asc', 'desc'] as const) {
        const answered = asAsked(page, list.call, field, direction);
        if (direction === 'asc') await head.click();
        else await head.press('Enter');
        await answered;
        await expect.poll(() => sees(direction), { message: `${title} ${direction}` }).toBe(true);
        await expect.poll(() => head.getAttribute('aria-sort')).toBe(direction === 'asc' ? 'ascending' : 'descending');
      }
      await head.press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('none');
    }
  });
}

test('a header that the server cannot sort by has no arrow, and clicking it does nothing', async () => {
  const customer = await Customer.comesBack(shop, browser, 'zh', 'customer@example.com');
  const { page } = customer;
  await customer.opens('/order');
  await page.getByRole('gridcell').first().waitFor();
  const before = await customer.column(customer.text('orders:number'));
  const head = page.getByRole('columnheader', { name: customer.text('orders:number'), exact: true });
  await head.click();
  await head.press('Enter');
  await expect.poll(() => head.getAttribute('aria-sort')).toBeNull();
  expect(await customer.column(customer.text('orders:number'))).toEqual(before);
  expect(page.url()).not.toContain('Sort=');
});

test('sorting, page and filters survive a reload and back navigation, also with a second sort field', async () => {
  const customer = await Customer.comesBack(shop, browser, 'zh', 'customer@example.com');
  const { page } = customer;
  await customer.opens(`${NODES}/proxy-list`);
  await page.getByRole('gridcell').first().waitFor();
  await page.getByLabel(customer.text('common:rowsPerPage'), { exact: true }).selectOption('10');
  await customer.showsColumn(customer.own('list.tier'));
  const tier = page.getByRole('columnheader', { name: customer.own('list.tier'), exact: true });
  const ip = page.getByRole('columnheader', { name: customer.own('list.ip'), exact: true });
  await tier.click();
  await expect.poll(() => new URL(page.url()).searchParams.get('Sort')).toBe('VerStr');
  await ip.click({ modifiers: ['Shift'] });
  await expect.poll(() => new URL(page.url()).searchParams.get('Sort')).toBe('VerStr,Ip');
  await page.getByRole('button', { name: customer.text('common:next') }).click();
  await expect.poll(async () => (await customer.column(customer.own('list.ip'))).length).toBe(2);
  const shown = await customer.column(customer.own('list.ip'));
  expect(shown).toEqual([...shown].sort());

  await page.reload();
  await expect.poll(() => customer.column(customer.own('list.ip'))).toEqual(shown);
  await customer.goesTo('billing', 'billing-products');
  await customer.heading(customer.text('billing:products.title')).waitFor();
  await page.goBack();
  await expect.poll(() => customer.column(customer.own('list.ip'))).toEqual(shown);
  await expect.poll(() => tier.getAttribute('aria-sort')).toBe('ascending');
  // A new sort order starts at the first page.
  await ip.click();
  await expect.poll(() => new URL(page.url()).searchParams.get('Sort')).toBe('-Ip');
  expect(new URL(page.url()).searchParams.has('Page')).toBe(false);
});
