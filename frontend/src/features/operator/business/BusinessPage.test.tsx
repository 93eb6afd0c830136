// The business screen: what waits, today, ranges with their figures, charts and products, and the checklist.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import type { BusinessView } from '@/api/business';
import { BusinessRange, OperatorTask, SetupStep } from '@/core/constants.gen';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { BusinessPage } from './BusinessPage';
import { ALL_DONE, business, figures, point, steps } from './fixtures';

beforeEach(() => signInAs('operator'));

const CATALOGUE = {
  Currency: 'USD',
  Tiers: [
    {
      VerStr: 'shared ISP proxies plan',
      NodeType: 2,
      LabelEn: 'Regular',
      LabelZh: '普通',
      DescEn: '',
      DescZh: '',
      Price: '5.00',
    },
  ],
  Periods: [],
  QuantitySteps: [],
};

type Replies = Parameters<typeof answerWith>[0];

function opens(replies: Replies = {}, at = '/') {
  const sent = answerWith({
    'Operator/GetBusiness': ({ body }) => ({ Data: business({ Range: body.Range as BusinessRange }) }),
    'Operator/GetTaskList': { Data: [] },
    'Operator/GetSetupStepList': { Data: ALL_DONE },
    'Ips/GetServerVer': { Data: CATALOGUE },
    ...replies,
  });
  return { sent, ...renderScreen(<BusinessPage />, at) };
}

const isOf = (data: BusinessView): Replies => ({ 'Operator/GetBusiness': { Data: data } });
const asked = (sent: Sent[]) => sent.filter((one) => one.call === 'Operator/GetBusiness').map(({ body }) => body.Range);
const section = async (title: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  const found = heading.closest('section');
  if (!found) throw new Error(`${title} has no section`);
  return within(found);
};
/** The value of a figure of the range, and what stands below it. */
const figure = async (name: string) => {
  const values = await section('Last 30 days');
  return (await values.findByText(name, { selector: 'dt' })).closest('div');
};
const rowsOf = async (name: string) =>
  within(await screen.findByRole<HTMLTableElement>('table', { name }))
    .getAllByRole<HTMLTableRowElement>('row')
    .map((row) => [...row.cells].map((cell) => cell.textContent));

test('the first range is 30 days, with the change against the days before', async () => {
  const { sent } = opens();
  await waitFor(async () => expect(await figure('Revenue')).toHaveTextContent('$640.00'));
  expect(asked(sent)).toEqual(['days30']);
  expect(await figure('Revenue')).toHaveTextContent('up 12.5%');
  expect(await figure('Traffic')).toHaveTextContent('12.5 GB▼ 33.3%down 33.3%');
  expect(await figure('Orders')).toHaveTextContent('12No change');
  expect(await figure('New accounts')).toHaveTextContent('4None before');
  expect(await figure('Customers')).toHaveTextContent('200Churn 1.5%, before 1.2%');
  expect(screen.getByText(/compared with the 30 days before/)).toBeVisible();
});

test('more revenue looks good, more refunds do not', async () => {
  opens();
  await screen.findByText('▲ 12.5%');
  expect(screen.getByText('▲ 12.5%').parentElement).toHaveAttribute('data-tone', 'good');
  expect(screen.getByText('▲ 50%').parentElement).toHaveAttribute('data-tone', 'bad');
  expect(screen.getByText('▼ 33.3%').parentElement).toHaveAttribute('data-tone', 'bad');
});

test('a change that is larger than any whole number of the rules is shown', async () => {
  const data = business();
  opens(isOf({ ...data, Changes: { ...data.Changes, TrafficBasisPoints: 10_000_000_000 } }));
  expect(await screen.findByText('▲ 100,000,000%')).toBeVisible();
});

test('another range is in the address, and what was shown stays until it is there', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  const { sent, addressNow } = opens({
    'Operator/GetBusiness': async ({ body }) => {
      if (body.Range === BusinessRange.Days30) return { Data: business() };
      await arrived;
      const Points = [point('2026-11-01', {}, { IsPartial: true })];
      return { Data: business({ Range: BusinessRange.Months12, Points, Now: figures({ Revenue: '9000.00' }) }) };
    },
  });
  await waitFor(async () => expect(await figure('Revenue')).toHaveTextContent('$640.00'));
  await userEvent.click(screen.getByRole('radio', { name: '12 months' }));
  expect(addressNow()).toBe('/?Range=months12');
  await waitFor(() => expect(asked(sent)).toEqual(['days30', 'months12']));
  expect(screen.getByRole('radio', { name: '12 months' })).toBeChecked();
  expect(await figure('Revenue')).toHaveTextContent('$640.00');
  arrive();
  expect(await screen.findByRole('heading', { name: 'Last 12 months' })).toBeVisible();
  expect(screen.getByText('$9,000.00')).toBeVisible();
  expect(screen.getByText(/compared with the 12 months before.*this month, so far/)).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: '30 days' }));
  expect(addressNow()).toBe('/');
});

test.each([
  ['/?Range=days90', 'days90'],
  ['/?Range=days7', 'days30'],
])('%s asks for %s', async (at, range) => {
  const { sent } = opens({}, at);
  await screen.findByRole('heading', { name: 'Products' });
  expect(asked(sent)).toEqual([range]);
});

test('what waits has links to where it is done', async () => {
  const counts = Object.values(OperatorTask).map((Task, index) => ({ Task, Count: index + 1 }));
  opens({ 'Operator/GetTaskList': { Data: counts } });
  const list = await section('Waiting for you');
  const links = list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['1 bank transfer to confirm', '/operator/payments?view=transfers'],
    ['2 payment cases to close', '/operator/payments?view=cases'],
    ['3 conversations to answer', '/operator/support'],
    ['4 referrals to review', '/operator/referrals'],
    ['6 rejected usage records', '/operator/proxy-servers?view=rejected'],
    ['7 planned price changes cannot be made', '/operator/prices'],
    ['8 places nearly sold out', '/operator/inventory?view=stock'],
    ['9 mails could not be sent', '/operator/mails?State=failed'],
    ['10 jobs failing or late', '/operator/system'],
  ]);
  expect(list.getAllByRole('listitem')[4]).toHaveTextContent('5 alarms, shown above');
});

test('more than the server counts is told as that', async () => {
  opens({
    'Operator/GetTaskList': {
      Data: [
        { Task: OperatorTask.FailedMails, Count: 10_001 },
        { Task: OperatorTask.RejectedUsage, Count: 10_000 },
      ],
    },
  });
  expect(await screen.findByRole('link', { name: '10,000+ mails could not be sent' })).toBeVisible();
  expect(screen.getByRole('link', { name: '10,000 rejected usage records' })).toBeVisible();
});

test('today has what happened so far', async () => {
  opens();
  expect(await screen.findByText('Nothing waits for you')).toBeVisible();
  const today = await section('Today so far');
  await today.findByText('$31.50');
  const pairs = today.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(pairs).toEqual([
    ['Revenue', '$31.50'],
    ['Orders', '2'],
    ['New accounts', '1'],
    ['Traffic', '2 GB'],
  ]);
});

test('the tables behind the charts have every day, and say that the last one is not over', async () => {
  opens();
  expect(await rowsOf('Revenue')).toEqual([
    ['Day', 'Revenue'],
    ['2026-11-26', '$0.00'],
    ['2026-11-27', '$10.00'],
    ['2026-11-28 (today, so far)', '$31.50'],
  ]);
  expect((await rowsOf('Orders')).at(-1)).toEqual(['2026-11-28 (today, so far)', '2']);
  expect((await rowsOf('New accounts')).at(-1)?.[1]).toBe('1');
  expect((await rowsOf('Traffic'))[2]?.[1]).toBe('1 MB');
});

test('days on which customers were not counted are gaps, not zeros', async () => {
  opens();
  expect(await rowsOf('Customers')).toEqual([
    ['Day', 'Customers'],
    ['2026-11-26', '–'],
    ['2026-11-27', '200'],
    ['2026-11-28 (today, so far)', '–'],
  ]);
  expect((await rowsOf('Customers lost')).map(([, lost]) => lost)).toEqual(['Customers lost', '–', '3', '–']);
  expect(screen.getAllByText(/Days that were not counted have no bar/)).toHaveLength(2);
});

test('months are named, the present one as far as it has come', async () => {
  const Points = [point('2025-12-01', { Orders: 5 }), point('2026-01-01', { Orders: 1 }, { IsPartial: true })];
  opens(isOf(business({ Range: BusinessRange.Months12, Points })), '/?Range=months12');
  expect(await rowsOf('Orders')).toEqual([
    ['Month', 'Orders'],
    ['December 2025', '5'],
    ['January 2026 (so far)', '1'],
  ]);
});

test('a new shop has explanations instead of empty charts', async () => {
  const Points = [point('2026-11-27'), point('2026-11-28', {}, { IsPartial: true })];
  const Now = figures({ CustomersLeft: null, ChurnBasisPoints: null });
  opens(isOf(business({ Points, Now, Products: [], Nodes: 0, NodesForSale: 0, Customers: null })));
  expect(await screen.findByText('Customers are not counted yet')).toBeVisible();
  expect(screen.getByText('Lost customers are not counted yet')).toBeVisible();
  expect(screen.getAllByText('Nothing in this period')).toHaveLength(4);
  expect(screen.getByText('Nothing sold in this period')).toBeVisible();
  expect(screen.getByText('No static proxies in stock')).toBeVisible();
  expect(await figure('Customers')).toHaveTextContent('–Not counted yet');
  expect(screen.queryByRole('slider')).toBeNull();
});

test('products are named, with their share of the revenue', async () => {
  opens();
  await screen.findByRole('rowheader', { name: 'Regular' });
  expect(await rowsOf('Products')).toEqual([
    ['Product', 'Orders', 'Revenue', 'Share of revenue'],
    ['Regular', '8', '$480.00', '75%'],
    ['Residential traffic', '3', '$100.00', '15.6%'],
    ['Several products in one order', '1', '$60.00', '9.4%'],
    ['a plan of the past', '0', '$0.00', '0%'],
  ]);
  expect(screen.getByText('Static proxies in stock: 4,200, for sale: 1,300')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Inventory' })).toHaveAttribute('href', '/operator/inventory');
});

test('each step has a link, or what to set or run, until it is done', async () => {
  opens({ 'Operator/GetSetupStepList': { Data: steps(SetupStep.Prices, SetupStep.Inventory) } });
  const list = await section('Open the shop');
  expect(list.getByText('2 of 9 done')).toBeVisible();
  expect(list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Connect a proxy server', '/operator/proxy-servers'],
    ['Protect your account', '/my-account/password'],
  ]);
  const copied = [
    'POSTERN_SMTP_URL',
    'POSTERN_SELLER_ADDRESS',
    'POSTERN_STRIPE_SECRET_KEY',
    'POSTERN_TRANSFER_DETAILS',
    'postern backup FILE',
    window.location.origin,
  ];
  for (const text of copied) expect(list.getByRole('button', { name: `Copy ${text}` })).toBeVisible();
  expect(list.getByText(/at least every 7 days/)).toBeVisible();
  const items = list.getAllByRole('listitem');
  expect(items[3]).toHaveTextContent(/^Choose what you sell \(done\)$/);
  expect(list.getByText('Settings of the server take effect when it starts.')).toBeVisible();
});

test('the hidden checklist can be shown again, and stays hidden in this browser', async () => {
  const { unmount } = opens({ 'Operator/GetSetupStepList': { Data: steps(SetupStep.Mail) } });
  const list = await section('Open the shop');
  expect(screen.queryByRole('button', { name: 'Show the checklist' })).toBeNull();
  await userEvent.click(list.getByRole('button', { name: 'Hide the checklist' }));
  expect(screen.queryByRole('heading', { name: 'Open the shop' })).toBeNull();
  expect(JSON.parse(localStorage.getItem('checklist') ?? '{}').state).toEqual({ isHidden: true });
  unmount();
  opens({ 'Operator/GetSetupStepList': { Data: steps(SetupStep.Mail) } });
  await userEvent.click(await screen.findByRole('button', { name: 'Show the checklist' }));
  expect(screen.getByRole('heading', { name: 'Open the shop' })).toBeVisible();
});

test('a shop that is open has no checklist', async () => {
  opens();
  await screen.findByRole('heading', { name: 'Products' });
  expect(screen.queryByRole('heading', { name: 'Open the shop' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show the checklist' })).toBeNull();
});

test('figures that could not be loaded are not zero, and can be loaded again or left', async () => {
  let isThere = false;
  const { sent } = opens({
    'Operator/GetBusiness': () => (isThere ? { Data: business() } : { Code: 5000, Message: 'Out of order' }),
  });
  expect(await screen.findByText('Out of order')).toBeVisible();
  expect(await figure('Revenue')).toHaveTextContent(/^Revenue–$/);
  expect((await section('Today so far')).getAllByText('–')).toHaveLength(4);
  await userEvent.click(screen.getByRole('radio', { name: '90 days' }));
  await waitFor(() => expect(asked(sent)).toContain('days90'));
  isThere = true;
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect(await figure('Revenue')).toHaveTextContent('$640.00'));
});

test('without the tasks and the checklist, the rest is there', async () => {
  const failed = { Code: 5000, Message: 'x' };
  let answer: { Code: number } | { Data: unknown } = failed;
  opens({ 'Operator/GetTaskList': () => answer, 'Operator/GetSetupStepList': failed });
  expect(await screen.findByText('What waits for you could not be loaded.')).toBeVisible();
  expect(screen.queryByText('Nothing waits for you')).toBeNull();
  expect(screen.getByText('The checklist could not be loaded.')).toBeVisible();
  await screen.findByText('$31.50', { selector: 'dd *' });
  answer = { Data: [{ Task: OperatorTask.Transfers, Count: 1 }] };
  await userEvent.click((await section('Waiting for you')).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: '1 bank transfer to confirm' })).toBeVisible();
});

test('the screen speaks Chinese', async () => {
  await i18next.changeLanguage('zh');
  opens({
    'Operator/GetTaskList': { Data: [{ Task: OperatorTask.Conversations, Count: 2 }] },
    'Operator/GetSetupStepList': { Data: steps() },
  });
  expect(await screen.findByRole('link', { name: '2 个对话待回复' })).toBeVisible();
  expect(await screen.findByRole('rowheader', { name: '普通' })).toBeVisible();
  expect(screen.getByText('▲ 12.5%')).toBeVisible();
  expect(screen.getByText(/与此前 30 天相比/)).toBeVisible();
});

test('an accountant sees the figures, without what waits and the checklist', async () => {
  signInAs('accountant');
  const { sent } = opens({
    'Operator/GetTaskList': { Data: [{ Task: OperatorTask.Transfers, Count: 2 }] },
    'Operator/GetSetupStepList': { Data: steps() },
  });
  await waitFor(async () => expect(await figure('Revenue')).toHaveTextContent('$640.00'));
  expect(screen.getByRole('heading', { name: 'Today so far' })).toBeVisible();
  for (const name of ['Waiting for you', 'Open the shop']) expect(screen.queryByRole('heading', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Inventory' })).toBeNull();
  expect(screen.queryByText(/could not be loaded/)).toBeNull();
  expect(forbidden(sent, 'accountant')).toEqual([]);
});
