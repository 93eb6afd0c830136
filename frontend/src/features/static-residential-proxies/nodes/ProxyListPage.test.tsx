// The proxy list: requests, selection and actions.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { COMMON_REPLIES, node, page } from '../fixtures';
import { ProxyListPage } from './ProxyListPage';

const THREE = page([node(1), node(2), node(3)], 1234);

beforeEach(onPhone);

const PATH = '/static-residential-proxies/proxy-list';
const open = (at = PATH) => renderScreen(<ProxyListPage usage={null} />, at);
const lastOf = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).at(-1)?.body;
const begin = async (action: string) => {
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: action }));
  return screen.findByRole('dialog');
};

test('a list that cannot be loaded shows an error and can be retried', async () => {
  const replies: Parameters<typeof answerWith>[0] = {
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': { Code: 5000, Message: 'Oh' },
  };
  answerWith(replies);
  open();
  await screen.findByText('This could not be loaded');
  replies['Ips/GetUserNodeList'] = THREE;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('198.18.0.2')).toBeVisible();
});

test('a customer without proxies is led to the order form, and one whose filters match nothing sees a notice', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([]) });
  open();
  expect(await screen.findByText('No proxies yet')).toBeVisible();
});

test('filters in the address are sent to the server', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([]) });
  open(`${PATH}?GroupId=0&AutoRenew=false&EndsWithinDays=7&Country=US&Search=mail`);
  expect(await screen.findByText('Nothing found')).toBeVisible();
  expect(lastOf(sent, 'Ips/GetUserNodeList')).toMatchObject({
    Search: 'mail',
    Filter: { GroupId: 0, AutoRenew: false, EndsWithinDays: 7, Country: 'US' },
  });
});

test('a search is sent once, and kept in the address', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': THREE });
  const { addressNow } = open();
  await screen.findByText('198.18.0.1');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'comcast' } });
  await waitFor(() => expect(addressNow()).toBe(`${PATH}?Search=comcast`));
  const searches = () => sent.filter((one) => one.call === 'Ips/GetUserNodeList').map((one) => one.body.Search);
  // The address changes first, and the list follows it.
  await waitFor(() => expect(searches()).toEqual([undefined, 'comcast']));
});

test('passwords are hidden until revealed, also in the copied endpoint', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': page([node(1)]),
    'Ips/GetUserNode': { Data: { Node: node(1), History: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Details of 198.18.0.1' }));
  const panel = await screen.findByRole('dialog', { name: '198.18.0.1' });
  expect(panel).toHaveTextContent('198.18.0.1:8000:user1:••••••••');
  expect(panel).not.toHaveTextContent('secret1');
  await userEvent.click(within(panel).getByRole('button', { name: 'Show password' }));
  expect(within(panel).getByText('secret1')).toBeVisible();
});

test("a row is copied in the customer's chosen format, which is remembered", async () => {
  const write = vi.fn(async (_: string) => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([node(1)]) });
  open();
  await user.selectOptions(await screen.findByLabelText('Copy as'), 'user:pass@host:port');
  await user.click(await screen.findByRole('button', { name: 'Copy 198.18.0.1 with its credentials' }));
  expect(write).toHaveBeenCalledWith('user1:secret1@198.18.0.1:8000');
  expect(localStorage.getItem('preferences')).toContain('user_pass_at_host_port');
});

test('a copied line of curl requests the shop, which answers with the exit', async () => {
  const write = vi.fn(async (_: string) => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([node(1)]) });
  open();
  await user.selectOptions(await screen.findByLabelText('Copy as'), 'curl command');
  await user.click(await screen.findByRole('button', { name: 'Copy 198.18.0.1 with its credentials' }));
  expect(write).toHaveBeenCalledWith(
    `curl -x "http://user1:secret1@198.18.0.1:8000" ${window.location.origin}/api/SystemSettings/GetClientIp`,
  );
});

test('a note is written to exactly the selected rows', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/EditNodeNote': { Data: { Changed: 2, Failed: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 198.18.0.3' }));
  const dialog = await begin('Note');
  expect(dialog).toHaveAccessibleName('Note for 2 proxies');
  await userEvent.type(within(dialog).getByLabelText('Note'), 'for mail');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(lastOf(sent, 'Ips/EditNodeNote')).toEqual({ NodeIds: [1, 3], Note: 'for mail' });
  expect(showToast).toHaveBeenCalledWith('Note of 2 proxies saved', 'success');
});

test.each([
  ['Group', 'Group', 'Scrapers', 'Move', 'Ips/AddToGroup', '2 proxies moved to Scrapers'],
  ['Group', 'Group', 'No group', 'Move', 'Ips/ClearUserPlanGroup', '2 proxies have no group now'],
  ['Auto-renew', undefined, /Renew automatically/, 'Save', 'Ips/SetAutoRenew', 'Auto-renew turned on for 2 proxies'],
  ['Auto-renew', undefined, /Let them expire/, 'Save', 'Ips/SetAutoRenew', 'Auto-renew turned off for 2 proxies'],
  ['Note', undefined, undefined, 'Save', 'Ips/EditNodeNote', 'Notes of 2 proxies removed'],
  [
    'Credentials',
    undefined,
    undefined,
    'Change credentials',
    'Ips/UserEditNodeAccount',
    '2 proxies have new credentials',
  ],
])('%s of two proxies, %s %s, says what was done', async (action, field, choice, submit, call, said) => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    [call]: { Data: { Changed: 2, Failed: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 198.18.0.3' }));
  const dialog = within(await begin(action));
  if (field && typeof choice === 'string') {
    await dialog.findByRole('option', { name: choice });
    await userEvent.selectOptions(dialog.getByLabelText(field), choice);
  } else if (choice) await userEvent.click(dialog.getByRole('radio', { name: choice }));
  await userEvent.click(dialog.getByRole('button', { name: submit }));
  await waitFor(() => expect(showToast).toHaveBeenCalledWith(said, 'success'));
});

test('the selected rows are copied as they are now, in a format chosen beside Copy, which is remembered', async () => {
  const write = vi.fn(async (_: string) => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/ExportNodes': { file: 'proxies.txt', text: '' },
  });
  open();
  await user.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select 198.18.0.3' }));
  const bar = within(screen.getByRole('toolbar'));
  await user.click(bar.getByRole('button', { name: 'Copy as' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'user:pass@host:port' }));
  await waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  await user.click(bar.getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(write).toHaveBeenCalledTimes(2));
  const asked = { NodeIds: [1, 3], Format: 'txt', EndpointFormat: 'user_pass_at_host_port' };
  for (const one of sent.filter(({ call }) => call === 'Ips/ExportNodes')) expect(one.body).toMatchObject(asked);
});

test('a capped count is shown with a plus, and all matching rows can be selected', async () => {
  const many = { Data: { ...THREE.Data, Total: 10_000, TotalIsAtLeast: true, PageSize: 50 } };
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': many });
  open();
  for (const one of [1, 2, 3]) {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select 198.18.0.${one}` }));
  }
  expect(screen.getByText('1–3 of 10,000+')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Select all matching' }));
  expect(screen.getByText('10,000+ selected')).toBeVisible();
});

test('all matching rows are sent as the filter, not as ids', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/SetAutoRenew': { Data: { Changed: 1234, Failed: [] } },
  });
  open(`${PATH}?State=assigned`);
  for (const one of [1, 2, 3]) {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select 198.18.0.${one}` }));
  }
  await userEvent.click(screen.getByRole('button', { name: 'Select all 1,234 matching' }));
  expect(screen.getByText('1,234 selected')).toBeVisible();
  const dialog = await begin('Auto-renew');
  await userEvent.click(within(dialog).getByRole('radio', { name: /Let them expire/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(lastOf(sent, 'Ips/SetAutoRenew')).toEqual({
    All: true,
    Filter: { State: 'assigned' },
    AutoRenew: false,
  });
  expect(screen.queryByText('1,234 selected')).toBeNull();
});

test('changing the filters clears the selection', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': THREE });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  expect(screen.getByText('1 selected')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox'), 'x');
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull());
});

test('proxies that could not be changed are listed with the reason', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/AddToGroup': {
      Data: { Changed: 0, Failed: [{ NodeId: 1, Code: 4005 }] },
    },
  });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  const dialog = await begin('Group');
  await userEvent.selectOptions(within(dialog).getByLabelText('Group'), 'Scrapers');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Move' }));
  expect(await within(dialog).findByText('1 proxy was not changed')).toBeVisible();
  expect(within(dialog).getByRole('row', { name: '198.18.0.1 Not possible in its current status' })).toBeVisible();
  expect(showToast).not.toHaveBeenCalled();
});

test('custom credentials are validated, and the old ones stay valid as long as chosen', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/UserEditNodeAccount': { Data: { Changed: 1, Failed: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.2' }));
  const dialog = await begin('Credentials');
  await userEvent.click(within(dialog).getByRole('radio', { name: /Set my own/ }));
  const submit = within(dialog).getByRole('button', { name: 'Change credentials' });
  expect(submit).toBeDisabled();
  await userEvent.type(within(dialog).getByLabelText('User name'), 'a');
  await userEvent.type(within(dialog).getByLabelText('Password'), 'staple-horse-21');
  await userEvent.selectOptions(within(dialog).getByLabelText(/Keep the old ones/), '6 hours');
  await userEvent.click(submit);
  expect(await within(dialog).findByText('At least 4 characters')).toBeVisible();
  expect(sent.some((one) => one.call === 'Ips/UserEditNodeAccount')).toBe(false);
  await userEvent.type(within(dialog).getByLabelText('User name'), 'nna');
  await userEvent.click(submit);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(lastOf(sent, 'Ips/UserEditNodeAccount')).toEqual({
    NodeIds: [2],
    UserName: 'anna',
    Password: 'staple-horse-21',
    KeepOldHours: 6,
  });
});

test('retrying after a lost response sends the same idempotency key', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': THREE, 'Ips/EditNodeNote': 'network' });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  const dialog = await begin('Note');
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  await waitFor(() => expect(save).toBeEnabled());
  await userEvent.click(save);
  await waitFor(() => expect(save).toBeEnabled());
  await userEvent.type(within(dialog).getByLabelText('Note'), 'other');
  await userEvent.click(save);
  await waitFor(() => expect(sent.filter((one) => one.call === 'Ips/EditNodeNote')).toHaveLength(3));
  const keys = sent.filter((one) => one.call === 'Ips/EditNodeNote').map((one) => one.headers['Idempotency-Key']);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('auto-renew is switched in its row', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': page([node(1)]),
    'Ips/SetAutoRenew': { Data: { Changed: 1, Failed: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('switch', { name: 'Auto-renew' }));
  await waitFor(() => expect(lastOf(sent, 'Ips/SetAutoRenew')).toEqual({ NodeIds: [1], AutoRenew: true }));
});

test("an export is saved under the server's file name", async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/ExportNodes': { file: 'proxies.csv', text: 'Ip' },
  });
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.0.1' }));
  const dialog = await begin('Export');
  await userEvent.click(within(dialog).getByRole('radio', { name: /CSV/ }));
  await userEvent.click(within(dialog).getByRole('radio', { name: 'SOCKS5' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Download' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('proxies.csv');
  expect(lastOf(sent, 'Ips/ExportNodes')).toMatchObject({ NodeIds: [1], Format: 'csv', Protocol: 'socks5' });
});

test('several countries can be active, each with a button to remove it', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': THREE });
  const { addressNow } = open();
  await screen.findByText('198.18.0.2');
  await userEvent.click(screen.getByRole('button', { name: 'Filters' }));
  const dialog = await screen.findByRole('dialog');
  const countries = within(dialog).getByRole('combobox', { name: 'Country' });
  await userEvent.selectOptions(countries, 'JP');
  await userEvent.selectOptions(countries, 'DE');
  await waitFor(() => expect(lastOf(sent, 'Ips/GetUserNodeList')).toMatchObject({ Filter: { Country: 'JP,DE' } }));
  expect(within(countries).queryByRole('option', { name: 'Japan' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove filter Japan' }));
  await waitFor(() => expect(lastOf(sent, 'Ips/GetUserNodeList')).toMatchObject({ Filter: { Country: 'DE' } }));
  expect(addressNow()).toBe(`${PATH}?Country=DE`);
});

test.each([
  ['has', [{ Target: 'shops', NameEn: 'Shops', NameZh: '电商', Category: '', NodeCount: 2 }], 1],
  ['has not', [], 0],
])('the filters have a choice of use case if the customer %s proxies with one', async (_, targets, count) => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/GetUserTargetList': { Data: targets },
  });
  open();
  await screen.findByText('198.18.0.2');
  await userEvent.click(screen.getByRole('button', { name: 'Filters' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(lastOf(sent, 'Ips/GetUserTargetList')).toBeDefined());
  await waitFor(() => expect(dialog.queryAllByRole('combobox', { name: 'Use case' })).toHaveLength(count));
});

test('pasted addresses are selected, and unknown ones are listed first', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([node(1), node(2)]) });
  open();
  await screen.findByText('198.18.0.2');
  await userEvent.click(screen.getByRole('button', { name: 'Select by IP' }));
  const dialog = await screen.findByRole('dialog', { name: 'Select proxies by IP' });
  await userEvent.click(within(dialog).getByRole('textbox', { name: 'IP addresses' }));
  await userEvent.paste('198.18.0.1:8000:ann:pw\n198.18.0.2, 192.0.2.7 gate.example');
  expect(await within(dialog).findByText('No IP found in: gate.example')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Select 3 proxies' }));
  expect(await within(dialog).findByText('Not among your proxies: 192.0.2.7')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Select the other 2' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('toolbar', { name: 'Selected rows' })).toHaveTextContent('2 selected');
});

const EVENT = {
  Amount: '5.00',
  Currency: 'USD',
  OrderId: 12,
  OrderNumber: 'PO12',
  Mode: null,
  Reason: null,
  OldIp: null,
};
const HISTORY = [
  {
    ...EVENT,
    Kind: 'switched',
    At: '2026-11-10 00:00:00',
    Ip: '198.18.0.1',
    OldIp: '198.18.9.9',
    Amount: '0.00',
    Mode: 'quota',
    Reason: 'blocked',
    OrderId: null,
    OrderNumber: null,
    EndsAt: null,
  },
  { ...EVENT, Kind: 'bought', At: '2026-11-01 00:00:00', Ip: '198.18.9.9', EndsAt: '2026-12-01 00:00:00' },
];

test('the panel of a proxy shows its details and payments, and starts its actions', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/GetUserNode': { Data: { Node: node(1, { Note: 'mail' }), History: HISTORY } },
  });
  const { addressNow } = open();
  await screen.findByText('198.18.0.2');
  await userEvent.click(screen.getByRole('button', { name: 'Actions for 198.18.0.1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Details' }));
  expect(addressNow()).toBe(`${PATH}?Node=1`);
  const panel = await screen.findByRole('dialog', { name: '198.18.0.1' });
  const history = within(panel).getByRole('region', { name: 'History' });
  expect(within(history).getByText('198.18.9.9 → 198.18.0.1 · Free')).toBeVisible();
  expect(within(history).getByText('198.18.9.9, until 2026-12-01 00:00:00')).toBeVisible();
  expect(within(history).getByRole('link', { name: 'Order PO12' })).toHaveAttribute('href', '/order?OrderId=12');
  await userEvent.click(within(panel).getByRole('button', { name: 'Note' }));
  expect(await screen.findByRole('dialog', { name: /note/i })).toBeVisible();
  expect(addressNow()).toBe(PATH);
});

test('going back closes the details, and closing them leaves no entry behind', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/GetUserNode': { Data: { Node: node(1), History: [] } },
  });
  const { addressNow, goBack } = open();
  const details = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for 198.18.0.1' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Details' }));
    return screen.findByRole('dialog', { name: '198.18.0.1' });
  };
  await details();
  await goBack();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(addressNow()).toBe(PATH);
  await details();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(addressNow()).toBe(PATH));
  await goBack();
  expect(addressNow()).toBe(PATH);
});

test('a list that the server refuses shows its message', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': { Code: 5003, Message: 'The shop is being updated. Try again in a minute.' },
  });
  open();
  expect(await screen.findByText('The shop is being updated. Try again in a minute.')).toBeVisible();
});

test('a proxy that no longer exists says so in its panel, and Escape returns to the list', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/GetUserNode': { Code: 3004, Message: 'Not found' },
  });
  const { addressNow } = open(`${PATH}?Node=77`);
  expect(await screen.findByText('Not found')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(addressNow()).toBe(PATH);
});
