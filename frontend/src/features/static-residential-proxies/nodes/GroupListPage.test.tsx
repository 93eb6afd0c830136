// Groups: create, edit, empty, delete.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { briefToast, showToast, toastError } from '@/ui/toast';
import { COMMON_REPLIES, group } from '../fixtures';
import { GroupListPage } from './GroupListPage';

const SCRAPERS = group(3, { Name: 'Scrapers', NodeCount: 2, Note: 'for Anna' });
const EMPTY = group(4, { Name: 'Spare', NodeCount: 0 });
const LIST = { 'Ips/GetUserPlanGroupList': { Data: [SCRAPERS, EMPTY] } };

const choose = async (name: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return screen.findByRole('dialog');
};

test('without groups the screen explains what they are for', async () => {
  answerWith({ 'Ips/GetUserPlanGroupList': { Data: [] } });
  renderScreen(<GroupListPage />);
  expect(await screen.findByText('No groups yet')).toBeVisible();
});

test('a duplicate name is reported at its field, and another name is saved', async () => {
  const sent = answerWith({
    ...LIST,
    'Ips/AddUserPlanGroup': ({ body }) =>
      body.Name === 'Scrapers'
        ? { Code: 2001, Message: 'x', Data: { Fields: { Name: [{ Rule: 'required' }] } } }
        : { Data: group(5, { Name: String(body.Name) }) },
  });
  renderScreen(<GroupListPage />);
  await screen.findByText('Scrapers');
  await userEvent.click(screen.getByRole('button', { name: 'Add group' }));
  const dialog = await screen.findByRole('dialog');
  const save = within(dialog).getByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  const name = within(dialog).getByLabelText('Name');
  await userEvent.type(name, 'Scrapers');
  await userEvent.click(save);
  await waitFor(() => expect(name).toBeInvalid());
  await userEvent.clear(name);
  await userEvent.type(name, 'Shops');
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Teal' }));
  await userEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter((one) => one.call === 'Ips/AddUserPlanGroup').at(-1)?.body).toEqual({
    Name: 'Shops',
    Colour: '#1f9ea3',
  });
});

test('deleting asks for confirmation and says that the proxies stay', async () => {
  const sent = answerWith({ ...LIST, 'Ips/DeleteUserPlanGroup': { Data: { Changed: 2 } } });
  renderScreen(<GroupListPage />);
  const dialog = await choose('Scrapers', 'Delete');
  expect(within(dialog).getByText(/You keep its proxies/)).toBeVisible();
  expect(sent.some((one) => one.call === 'Ips/DeleteUserPlanGroup')).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete group' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find((one) => one.call === 'Ips/DeleteUserPlanGroup')?.body).toEqual({ GroupId: 3 });
});

test('a refused deletion leaves the dialog open', async () => {
  answerWith({ ...LIST, 'Ips/DeleteUserPlanGroup': { Code: 3004, Message: 'Not found' } });
  renderScreen(<GroupListPage />);
  const dialog = await choose('Spare', 'Delete');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete group' }));
  await waitFor(() => expect(toastError).toHaveBeenCalledWith('Not found'));
  expect(dialog).toBeVisible();
});

test('only a group with proxies can be emptied', async () => {
  answerWith({ ...LIST, 'Ips/ClearUserPlanGroupAllNode': { Data: { Changed: 2 } } });
  renderScreen(<GroupListPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Spare' }));
  expect(screen.queryByRole('menuitem', { name: 'Remove all proxies' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  const dialog = await choose('Scrapers', 'Remove all proxies');
  expect(within(dialog).getByText('2 proxies will have no group. You keep the proxies.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('2 proxies removed from the group', 'success'));
});

test('the credentials of all proxies of a group are changed from its menu', async () => {
  const sent = answerWith({ ...LIST, 'Ips/UserEditNodeAccount': { Data: { Changed: 2, Failed: [] } } });
  renderScreen(<GroupListPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Spare' }));
  expect(screen.queryByRole('menuitem', { name: 'Change credentials' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  const dialog = await choose('Scrapers', 'Change credentials');
  expect(within(dialog).getByRole('heading', { name: 'Credentials of 2 proxies' })).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Change credentials' }));
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('2 proxies have new credentials', 'success'));
  expect(sent.find((one) => one.call === 'Ips/UserEditNodeAccount')?.body).toEqual({
    All: true,
    Filter: { GroupId: 3 },
    Generate: true,
    KeepOldHours: 24,
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('all proxies of a group are copied beside its menu and from it', async () => {
  const write = vi.fn(async (_: string) => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  const sent = answerWith({ ...LIST, 'Ips/ExportNodes': { file: 'proxies.txt', text: '' } });
  renderScreen(<GroupListPage />);
  await user.click(await screen.findByRole('button', { name: 'Copy all proxies of Scrapers' }));
  await waitFor(() => expect(briefToast).toHaveBeenCalledWith('2 proxies copied'));
  expect(write).toHaveBeenCalledTimes(1);
  expect(sent.find((one) => one.call === 'Ips/ExportNodes')?.body).toEqual({
    All: true,
    Filter: { GroupId: 3 },
    Format: 'txt',
    EndpointFormat: 'host_port_user_pass',
    Protocol: 'http',
  });
  expect(screen.queryByRole('button', { name: 'Copy all proxies of Spare' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Actions for Scrapers' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy all' }));
  await waitFor(() => expect(write).toHaveBeenCalledTimes(2));
});

test.each([
  ['Renew', 'Renew 2 proxies'],
  ['Auto-renew', 'Auto-renew of 2 proxies'],
  ['Export', 'Export 2 proxies'],
])('%s in the menu of a group is about all its proxies', async (action, title) => {
  answerWith({ ...COMMON_REPLIES, ...LIST });
  renderScreen(<GroupListPage />);
  expect(await choose('Scrapers', action)).toHaveAccessibleName(title);
});

test('a group links to its proxies, and is found by its note', async () => {
  answerWith(LIST);
  renderScreen(<GroupListPage />);
  expect(await screen.findByRole('link', { name: '2 proxies: Scrapers' })).toHaveAttribute(
    'href',
    '/static-residential-proxies/proxy-list?GroupId=3',
  );
  await userEvent.type(screen.getByRole('searchbox'), 'anna');
  await waitFor(() => expect(screen.queryByText('Spare')).toBeNull());
  expect(screen.getByText('Scrapers')).toBeVisible();
});
