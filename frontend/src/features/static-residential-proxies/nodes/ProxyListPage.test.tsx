// The proxy list: what is asked of the server, and what is done with what somebody selected.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { COMMON_REPLIES, node, page } from '../fixtures';
import { ProxyListPage } from './ProxyListPage';

const toasts = vi.hoisted(() => ({ toastError: vi.fn(), showToast: vi.fn(), briefToast: vi.fn() }));
vi.mock('@/ui/toast', () => toasts);

const THREE = page([node(1), node(2), node(3)], 1234);

beforeEach(() => {
  onPhone();
  for (const toast of Object.values(toasts)) toast.mockClear();
});

const PATH = '/static-residential-proxies/proxy-list';
const open = (at = PATH) => renderScreen(<ProxyListPage />, at);
const lastOf = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).at(-1)?.body;
const begin = async (action: string) => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return screen.findByRole('dialog');
};

test('a list that cannot be loaded says so and can be asked for again', async () => {
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

test('somebody who owns nothing is led to the shop, somebody whose filters match nothing is told so', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([]) });
  open();
  expect(await screen.findByText('No proxies yet')).toBeVisible();
});

test('filters of the address are sent to the server as what they are', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([]) });
  open(`${PATH}?GroupId=0&AutoRenew=false&EndsWithinDays=7&Country=US&Search=mail`);
  expect(await screen.findByText('Nothing found')).toBeVisible();
  expect(lastOf(sent, 'Ips/GetUserNodeList')).toMatchObject({
    Search: 'mail',
    Filter: { GroupId: 0, AutoRenew: false, EndsWithinDays: 7, Country: 'US' },
  });
});

test('what is typed into the search is asked for once, after a pause, and goes into the address', async () => {
  const sent = answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': THREE });
  const { addressNow } = open();
  await screen.findByText('198.18.0.1');
  await userEvent.type(screen.getByRole('searchbox'), 'comcast');
  await waitFor(() => expect(addressNow()).toBe(`${PATH}?Search=comcast`));
  const searches = sent.filter((one) => one.call === 'Ips/GetUserNodeList').map((one) => one.body.Search);
  expect(searches.at(-1)).toBe('comcast');
  expect(searches.length).toBeLessThan(4);
});

test('passwords are hidden until asked for', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': page([node(1)]) });
  open();
  await screen.findByText('198.18.0.1');
  expect(screen.queryByText('secret1')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByText('secret1')).toBeVisible();
});

test('a row is copied in the form that the customer chose, which is remembered', async () => {
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

test('a note is written to exactly the rows that were selected', async () => {
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
  expect(toasts.showToast).toHaveBeenCalledWith('2 proxies changed', 'success');
});

test('a list that was counted only so far says that there are more, and all of them can be picked', async () => {
  const many = { Data: { ...THREE.Data, Total: 10_000, TotalIsAtLeast: true, PageSize: 50 } };
  answerWith({ ...COMMON_REPLIES, 'Ips/GetUserNodeList': many });
  open();
  for (const one of [1, 2, 3]) {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select 198.18.0.${one}` }));
  }
  expect(screen.getByText('1–3 of 10,000+')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Select all that match' }));
  expect(screen.getByText('10,000+ selected')).toBeVisible();
});

test('all that match are told to the server as the filter, not as numbers', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': THREE,
    'Ips/SetAutoRenew': { Data: { Changed: 1234, Failed: [] } },
  });
  open(`${PATH}?State=assigned`);
  for (const one of [1, 2, 3]) {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select 198.18.0.${one}` }));
  }
  await userEvent.click(screen.getByRole('button', { name: 'Select all 1,234 that match' }));
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

test('what is selected is forgotten when the list is narrowed to something else', async () => {
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
  expect(toasts.showToast).not.toHaveBeenCalled();
});

test('own credentials go by the rules, and the old ones live as long as was said', async () => {
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

test('the same change after a lost answer carries the same key', async () => {
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

test('auto-renew is switched at its row', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/GetUserNodeList': page([node(1)]),
    'Ips/SetAutoRenew': { Data: { Changed: 1, Failed: [] } },
  });
  open();
  await userEvent.click(await screen.findByRole('switch', { name: 'Auto-renew' }));
  await waitFor(() => expect(lastOf(sent, 'Ips/SetAutoRenew')).toEqual({ NodeIds: [1], AutoRenew: true }));
});

test('an export is saved under the name that the server gives it', async () => {
  const saved = vi.fn();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: saved.mockReturnValue('blob:x'), revokeObjectURL: vi.fn() }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
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
  expect(saved.mock.calls[0]?.[0].name).toBe('proxies.csv');
  expect(lastOf(sent, 'Ips/ExportNodes')).toMatchObject({ NodeIds: [1], Format: 'csv', Protocol: 'socks5' });
});
