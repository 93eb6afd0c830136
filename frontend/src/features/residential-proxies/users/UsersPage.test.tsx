// The proxy user list: create, edit, change state, import.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { screenRules } from '@/core';
import { usePreferences } from '@/stores/preferences';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { saveFile } from '@/ui/saveFile';
import { endpointServer, proxyUser } from '../userFixtures';
import { UsersPage } from './UsersPage';

const ANN = proxyUser(1, { Name: 'ann_1' });
const BOB = proxyUser(2, { Name: 'bob_2', State: 'paused', Note: 'for tests' });
const REPLIES = {
  'ProxyUsers/GetProxyUserList': { Data: { Rows: [ANN, BOB], Total: 2 } },
  'Endpoints/GetServerList': { Data: [endpointServer()] },
};

beforeEach(onPhone);

const choose = async (name: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return screen.findByRole('dialog');
};

test('without proxy users the screen offers to buy traffic and to create the first one', async () => {
  answerWith({ 'ProxyUsers/GetProxyUserList': { Data: { Rows: [], Total: 0 } } });
  renderScreen(<UsersPage />);
  expect(await screen.findByRole('link', { name: 'Buy traffic' })).toHaveAttribute(
    'href',
    '/residential-proxies/order',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Create your first proxy user' }));
  expect(await screen.findByRole('dialog', { name: 'Add proxy user' })).toBeVisible();
});

test('each row shows used traffic, and the last days as text', async () => {
  answerWith(REPLIES);
  renderScreen(<UsersPage />);
  expect(await screen.findByText('ann_1')).toBeVisible();
  expect(screen.getAllByText('1.2 GB of 5 GB')[0]).toBeVisible();
  expect(
    screen.getAllByRole('img', { name: 'Last 14 days: 1.2 GB. Busiest day 1 GB, today 200 MB.' })[0],
  ).toBeVisible();
});

test('limits on connections are shown where they are set', async () => {
  const limited = proxyUser(3, { Name: 'carl_3', MaxConnections: 1500, MaxMegabits: 100 });
  const single = proxyUser(4, { Name: 'dora_4', MaxConnections: 1 });
  answerWith({ ...REPLIES, 'ProxyUsers/GetProxyUserList': { Data: { Rows: [ANN, limited, single], Total: 3 } } });
  renderScreen(<UsersPage />);
  expect(await screen.findByText('1,500 connections · 100 Mbit/s')).toBeVisible();
  expect(screen.getByText('1 connection')).toBeVisible();
  expect(screen.getAllByText(/connection/)).toHaveLength(2);
});

test('a copied line of curl requests the shop, also that of a new password', async () => {
  usePreferences.setState({ endpointFormat: 'curl' });
  const write = vi.fn(async (_: string) => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  answerWith({
    ...REPLIES,
    'ProxyUsers/RevealProxyUserPassword': { Data: { Password: 'k3yring99' } },
    'ProxyUsers/ChangeProxyUserPassword': { Data: { ProxyUser: ANN, Password: 'n3wring99' } },
  });
  renderScreen(<UsersPage />);
  const line = (password: string) =>
    `curl -x "http://user-ann_1:${password}@gate.example:8000" ${window.location.origin}/api/SystemSettings/GetClientIp`;
  await user.click(await screen.findByRole('button', { name: 'Copy an endpoint of ann_1' }));
  await waitFor(() => expect(write).toHaveBeenCalledWith(line('k3yring99')));
  const dialog = await choose('ann_1', 'Change password');
  await user.click(within(dialog).getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText(line('n3wring99'))).toBeVisible();
});

test('summary and usage have their own tabs, and the view is in the address', async () => {
  answerWith(REPLIES);
  const { addressNow } = renderScreen(<UsersPage summary={<p>12 GB left</p>} usage={<p>A chart</p>} />);
  expect(await screen.findByText('12 GB left')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Usage' }));
  expect(screen.getByText('A chart')).toBeVisible();
  expect(addressNow()).toBe('/?view=usage');
});

test('errors from the rules or the server are reported at their field, and the password is shown at the end', async () => {
  const sent = answerWith({
    ...REPLIES,
    'ProxyUsers/AddProxyUser': ({ body }) =>
      body.Name === 'ann_1'
        ? { Code: 2001, Message: 'x', Data: { Fields: { Name: [{ Rule: 'nameTaken', Params: {} }] } } }
        : { Data: { ProxyUser: proxyUser(3, { Name: 'carl_3' }), Password: 'k3yring99' } },
  });
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add proxy user' }));
  const dialog = await screen.findByRole('dialog');
  const name = within(dialog).getByLabelText('Name');
  const add = within(dialog).getByRole('button', { name: 'Add' });
  await userEvent.type(name, 'Ann');
  const limit = within(dialog).getByLabelText('Traffic limit in GB');
  await userEvent.type(limit, '1.2345');
  await userEvent.click(add);
  await waitFor(() => expect(name).toBeInvalid());
  expect(limit).toBeInvalid();
  expect(sent.some((one) => one.call === 'ProxyUsers/AddProxyUser')).toBe(false);
  await userEvent.clear(limit);
  await userEvent.type(limit, '1.5');
  await userEvent.selectOptions(within(dialog).getByLabelText('Used traffic resets'), 'month');
  await userEvent.click(within(dialog).getByLabelText('Germany'));
  await userEvent.clear(name);
  await userEvent.type(name, 'ann_1');
  await userEvent.click(add);
  await waitFor(() => expect(name).toBeInvalid());
  await userEvent.clear(name);
  await userEvent.type(name, 'carl_3');
  await userEvent.click(add);
  expect(await screen.findByText('k3yring99')).toBeVisible();
  expect(await screen.findByText('gate.example:8000:user-carl_3:k3yring99')).toBeVisible();
  expect(sent.filter((one) => one.call === 'ProxyUsers/AddProxyUser').at(-1)?.body).toMatchObject({
    Name: 'carl_3',
    LimitGigabytes: '1.5',
    LimitCycle: 'month',
    Countries: ['DE'],
  });
});

test('limits on connections are whole numbers, or empty for none', async () => {
  const limited = proxyUser(1, { Name: 'ann_1', MaxConnections: 20, MaxMegabits: 8 });
  const sent = answerWith({
    ...REPLIES,
    'ProxyUsers/GetProxyUserList': { Data: { Rows: [limited], Total: 1 } },
    'ProxyUsers/EditProxyUser': { Data: limited },
  });
  renderScreen(<UsersPage />);
  const dialog = await choose('ann_1', 'Edit');
  const connections = within(dialog).getByLabelText('Connections at once');
  const bandwidth = within(dialog).getByLabelText('Bandwidth (Mbit/s)');
  expect(connections).toHaveValue('20');
  expect(bandwidth).toHaveValue('8');
  await userEvent.type(connections, '.5');
  await userEvent.type(bandwidth, '0001');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(connections).toHaveAccessibleDescription('Enter a whole number from 1 to 100,000'));
  expect(bandwidth).toHaveAccessibleDescription('Enter a whole number from 1 to 10,000');
  expect(sent.some((one) => one.call === 'ProxyUsers/EditProxyUser')).toBe(false);
  await userEvent.type(connections, '{Backspace}{Backspace}0');
  await userEvent.clear(bandwidth);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Empty fields are left out.
  const body = sent.find((one) => one.call === 'ProxyUsers/EditProxyUser')?.body;
  expect([body?.MaxConnections, body?.MaxMegabits]).toEqual(['200', undefined]);
});

test('an edit that does not change the expiry keeps it to the second, even if it is in the past', async () => {
  const ended = proxyUser(5, { Name: 'old_5', State: 'expired', ExpiresAt: '2020-01-31 23:59:41' });
  const sent = answerWith({
    ...REPLIES,
    'ProxyUsers/GetProxyUserList': { Data: { Rows: [ended], Total: 1 } },
    'ProxyUsers/EditProxyUser': { Data: ended },
  });
  renderScreen(<UsersPage />);
  const dialog = await choose('old_5', 'Edit');
  await userEvent.type(within(dialog).getByLabelText('Note'), 'kept');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const body = sent.find((one) => one.call === 'ProxyUsers/EditProxyUser')?.body;
  expect(body).toMatchObject({ ProxyUserId: 5, Note: 'kept', ExpiresAt: '2020-01-31 23:59:41' });
});

test('a menu offers what the state allows, and skipped users are listed', async () => {
  const sent = answerWith({
    ...REPLIES,
    'ProxyUsers/PauseProxyUsers': { Data: { Changed: 1, Skipped: [{ ProxyUserId: 2, State: 'paused' }] } },
  });
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for bob_2' }));
  expect(await screen.findByRole('menuitem', { name: 'Resume' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Pause' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select ann_1' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select bob_2' }));
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Pause' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/1 is skipped/)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('1 proxy user paused')).toBeVisible();
  expect(within(screen.getByRole('region', { name: 'Unchanged proxy users' })).getByText('bob_2')).toBeVisible();
  expect(sent.find((one) => one.call === 'ProxyUsers/PauseProxyUsers')?.body).toEqual({ ProxyUserIds: [1, 2] });
});

test('a password is fetched only when revealed', async () => {
  const sent = answerWith({ ...REPLIES, 'ProxyUsers/RevealProxyUserPassword': { Data: { Password: 'k3yring99' } } });
  renderScreen(<UsersPage />);
  const show = await screen.findByRole('button', { name: 'Show the password of ann_1' });
  expect(sent.some((one) => one.call === 'ProxyUsers/RevealProxyUserPassword')).toBe(false);
  await userEvent.click(show);
  expect(await screen.findByText('k3yring99')).toBeVisible();
});

test('an invalid line is reported before anything is sent, and a valid file is checked before users are created', async () => {
  const sent = answerWith({
    ...REPLIES,
    'ProxyUsers/ImportProxyUsers': ({ body }) => ({
      Data: body.DryRun
        ? { Created: 500 }
        : { Created: 500, Rows: [{ Line: 2, Name: 'user_2', Password: 'k3yring99' }] },
    }),
  });
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
  const dialog = await screen.findByRole('dialog');
  const lines = Array.from({ length: 500 }, (_, index) => `user_${index + 2},5`);
  const csv = ['name,limit_gb', ...lines].join('\n');
  const area = within(dialog).getByLabelText('Or paste the lines');
  await userEvent.click(area);
  await userEvent.paste(csv.replace('user_412,5', 'user_412,five'));
  expect(await within(dialog).findByText(/^Line 412: limit_gb: /)).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Check' })).toBeDisabled();
  await userEvent.clear(area);
  await userEvent.click(area);
  await userEvent.paste(csv);
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Check' })).toBeEnabled());
  expect(sent.some((one) => one.call === 'ProxyUsers/ImportProxyUsers')).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Check' }));
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Create 500 proxy users' }));
  expect(await screen.findByText('500 proxy users created')).toBeVisible();
  expect(sent.filter((one) => one.call === 'ProxyUsers/ImportProxyUsers').map((one) => one.body.DryRun)).toEqual([
    true,
    false,
  ]);
});

test('the preview shows the limits of each line, and names the column of a wrong one', async () => {
  answerWith(REPLIES);
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByLabelText('Or paste the lines'));
  await userEvent.paste(
    'name,limit_gb,limit_cycle,max_connections,max_megabits\nnew_1,5,week,50,100\nnew_2,,,,1\nnew_3,,,many,',
  );
  expect(await within(dialog).findByText(/^Line 4: max_connections: Enter a whole number/)).toBeVisible();
  expect(within(dialog).getByText('5 GB · Every week · 50 connections · 100 Mbit/s')).toBeVisible();
  expect(within(dialog).getByText('1 Mbit/s')).toBeVisible();
});

test('the example can be imported', async () => {
  answerWith(REPLIES);
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Download an example' }));
  const example = await vi.mocked(saveFile).mock.lastCall?.[0].text();
  const { Errors, Lines } = screenRules().readProxyUsers(example ?? '', '2026-11-22 12:00:00');
  expect(Errors).toEqual({});
  expect(Lines[0]?.Form).toMatchObject({ Name: 'scraper_1', MaxConnections: '50', MaxMegabits: '100' });
});

test('a name that the server knows to be taken is reported by line', async () => {
  answerWith({
    ...REPLIES,
    'ProxyUsers/ImportProxyUsers': {
      Code: 2001,
      Message: 'x',
      Data: { Fields: { 'Lines.3.Name': [{ Rule: 'nameTaken', Params: {} }] } },
    },
  });
  renderScreen(<UsersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByLabelText('Or paste the lines'));
  await userEvent.paste('name\nnew_1\nann_1');
  const check = within(dialog).getByRole('button', { name: 'Check' });
  await waitFor(() => expect(check).toBeEnabled());
  await userEvent.click(check);
  expect(await within(dialog).findByText(/^Line 3: name: This name is taken/)).toBeVisible();
});
