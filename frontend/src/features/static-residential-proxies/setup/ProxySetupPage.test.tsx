// Proxy setup: access mode, whitelist, credentials and proxy test.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { screenRules } from '@/core';
import { usePlanStore } from '@/stores/plan';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { toastError } from '@/ui/toast';
import { COMMON_REPLIES, catalogue, DEDICATED, node, page, REGULAR } from '../fixtures';
import { ProxySetupPage } from './ProxySetupPage';

const PLAN = {
  PlanId: 1,
  VerStr: REGULAR,
  NodeType: 2,
  IpsCount: 2,
  AutoRenew: false,
  AccessMode: 'both',
  Quota: { Limit: 1, Used: 0, Left: 1 },
};
const AUTH = {
  VerStr: REGULAR,
  AccessMode: 'both',
  UserName: 'anna',
  Password: 'staple-horse-21',
  WhiteListCount: 1,
  NodeCount: 2,
};
const ENTRY = { WhiteId: 7, VerStr: REGULAR, Address: '8.8.8.8', Label: 'office', LastUsedAt: null };

const replies = (change: object = {}) => ({
  ...COMMON_REPLIES,
  'Ips/userGetUserVerPlan': { Data: [PLAN] },
  'Ips/UserGetVerAuth': { Data: AUTH },
  'Ips/GetUserNodeList': page([node(1), node(2, { UserName: 'anna', Password: 'staple-horse-21' })]),
  'Ips/GetMyWhiteList': page([ENTRY]),
  'SystemSettings/GetClientIp': { Data: { Ip: '9.9.9.9' } },
  ...change,
});
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

test('a customer without proxies is led to the order form', async () => {
  answerWith(replies({ 'Ips/userGetUserVerPlan': { Data: [] } }));
  renderScreen(<ProxySetupPage />);
  expect(await screen.findByText('Nothing to set up yet')).toBeVisible();
});

test('after another plan is chosen, no command of the plan before is left', async () => {
  const other = { ...PLAN, PlanId: 2, VerStr: DEDICATED };
  let release = () => {};
  const later = new Promise<ReturnType<typeof page>>((resolve) => {
    release = () => resolve(page([node(2, { VerStr: DEDICATED })]));
  });
  const nodesOf = ({ body }: Sent) => {
    const { VerStr } = (body as { Filter: { VerStr: string } }).Filter;
    return VerStr === DEDICATED ? later : page([node(1)]);
  };
  answerWith(replies({ 'Ips/userGetUserVerPlan': { Data: [PLAN, other] }, 'Ips/GetUserNodeList': nodesOf }));
  renderScreen(<ProxySetupPage />);
  expect((await screen.findAllByText(/198\.18\.0\.1/))[0]).toBeVisible();
  await userEvent.click(screen.getAllByRole('radio')[1] as HTMLElement);
  await waitFor(() => expect(screen.queryByText(/198\.18\.0\.1/)).toBeNull());
  expect(screen.queryByText(/no proxies/i)).toBeNull();
  release();
  expect((await screen.findAllByText(/198\.18\.0\.2/))[0]).toBeVisible();
});

test('what one IP of the plan may carry is told, if it is limited', async () => {
  const Tiers = [{ ...catalogue.Tiers[0], MaxConnections: 1, MaxMegabits: 50 }];
  answerWith(replies({ 'Ips/GetServerVer': { Data: { ...catalogue, Tiers } } }));
  usePlanStore.setState({ planList: null });
  renderScreen(<ProxySetupPage />);
  expect(await screen.findByText('1 connection · 50 Mbit/s')).toBeVisible();
  expect(screen.getByText('Limits per IP')).toBeVisible();
});

test.each(['192.168.0.7', '8.0.0.0/3', 'not an address'])(
  'the whitelist rejects %s, and nothing is sent',
  async (address) => {
    const sent = answerWith(replies());
    renderScreen(<ProxySetupPage />);
    const field = await screen.findByLabelText('Address');
    await userEvent.type(field, address);
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(field).toBeInvalid();
    expect(of(sent, 'Ips/AddWhiteList')).toEqual([]);
  },
);

test.each(['en', 'zh'])('the whitelist accepts the example that its hint gives, in %s', (language) => {
  const texts = [
    i18next.getFixedT(language, 'static_residential_proxies')('setup.addressHint'),
    i18next.getFixedT(language, 'validation')('network'),
  ];
  const examples = texts.flatMap((text) => text.match(/\d+(\.\d+){3}(\/\d+)?/g) ?? []);
  expect(examples).toEqual(['8.8.8.0/24', '8.8.8.8', '8.8.8.0/24']);
  for (const example of examples) expect(screenRules().validateWhitelistEntry(example, ''), example).toEqual({});
});

test("the user's own address is added with one click, and not offered if it is listed", async () => {
  let rows = [ENTRY];
  const sent = answerWith(
    replies({
      'Ips/GetMyWhiteList': () => page(rows),
      'Ips/AddWhiteList': () => {
        rows = [...rows, { ...ENTRY, WhiteId: 8, Address: '9.9.9.9' }];
        return { Data: rows[1] };
      },
    }),
  );
  renderScreen(<ProxySetupPage />);
  const button = await screen.findByRole('button', { name: 'Add my address (9.9.9.9)' });
  await userEvent.click(button);
  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(of(sent, 'Ips/AddWhiteList')).toEqual([{ VerStr: REGULAR, Address: '9.9.9.9', Label: 'My address' }]);
});

test('an address is removed in its row', async () => {
  const sent = answerWith(replies({ 'Ips/DelWhite': { Data: { Changed: 1 } } }));
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove 8.8.8.8' }));
  await waitFor(() => expect(of(sent, 'Ips/DelWhite')).toEqual([{ WhiteIds: [7] }]));
});

test('in whitelist mode no password is shown, and an empty whitelist shows a warning', async () => {
  answerWith(
    replies({
      'Ips/UserGetVerAuth': { Data: { ...AUTH, AccessMode: 'whitelist', WhiteListCount: 0 } },
      'Ips/GetMyWhiteList': page([]),
    }),
  );
  renderScreen(<ProxySetupPage />);
  expect(await screen.findByText(/The IP whitelist is empty/)).toBeVisible();
  const command = await screen.findByRole('region', { name: 'curl' });
  expect(command).toHaveTextContent(/^curl -x "http:\/\/198\.18\.0\.1:8000"/);
  expect(screen.queryByRole('heading', { name: 'Credentials' })).toBeNull();
});

test('browsers are told what to do instead of SOCKS5 with a password', async () => {
  answerWith(replies());
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Browsers' }));
  expect(screen.getByText(/enter the user name and password/)).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'SOCKS5' }));
  expect(screen.getByText(/Browsers cannot send a user name and password to a SOCKS5 proxy/)).toBeVisible();
  expect(screen.queryByText(/enter the user name and password/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'HTTP' }));
});

test("a change of the access mode is sent, and the server's mode is shown", async () => {
  const sent = answerWith(replies({ 'Ips/UpdateVerAuth': { Code: 4005, Message: 'Not now' } }));
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('radio', { name: /Whitelisted addresses only/ }));
  await waitFor(() => expect(toastError).toHaveBeenCalledWith('Not now'));
  expect(of(sent, 'Ips/UpdateVerAuth')).toEqual([{ VerStr: REGULAR, AccessMode: 'whitelist' }]);
  expect(screen.getByRole('radio', { name: /Either/ })).toBeChecked();
});

test('new credentials are validated, and the old ones stay valid as long as chosen', async () => {
  const sent = answerWith(replies({ 'Ips/UpdateVerUserPass': { Data: AUTH } }));
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = await screen.findByRole('dialog');
  const password = within(dialog).getByLabelText('Password');
  await userEvent.type(password, 'x');
  const submit = within(dialog).getByRole('button', { name: 'Change credentials' });
  await userEvent.click(submit);
  expect(password).toBeInvalid();
  await userEvent.type(password, 'y-battery-staple-7');
  await userEvent.selectOptions(within(dialog).getByLabelText(/Keep the old ones/), '48 hours');
  await userEvent.click(submit);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(of(sent, 'Ips/UpdateVerUserPass')).toEqual([
    { VerStr: REGULAR, UserName: 'anna', Password: 'xy-battery-staple-7', KeepOldHours: 48 },
  ]);
});

test('a test shows what went wrong, or the response time', async () => {
  let result: object = { Works: false, Milliseconds: 30000, Problem: 'timeout' };
  const sent = answerWith(replies({ 'Ips/TestNode': () => ({ Data: result }) }));
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('radio', { name: 'SOCKS5' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Test this proxy' }));
  expect(await screen.findByText('It did not respond in time.')).toBeVisible();
  result = { Works: true, Milliseconds: 84, ExitIp: '198.18.0.1' };
  await userEvent.click(screen.getByRole('button', { name: 'Test again' }));
  expect(await screen.findByText('84 ms')).toBeVisible();
  expect(screen.getByText('Country')).toBeVisible();
  expect(screen.getByText('United States', { selector: 'dd' })).toBeVisible();
  expect(of(sent, 'Ips/TestNode')[0]).toEqual({ NodeId: 1, Protocol: 'socks5' });
});

test('one switch turns on auto-renew for the whole plan', async () => {
  const sent = answerWith(replies({ 'Ips/SetAutoRenew': { Data: { Changed: 2, Failed: [] } } }));
  renderScreen(<ProxySetupPage />);
  await userEvent.click(await screen.findByRole('switch', { name: 'Renew this plan automatically' }));
  await waitFor(() => expect(of(sent, 'Ips/SetAutoRenew')).toEqual([{ VerStr: REGULAR, AutoRenew: true }]));
});
