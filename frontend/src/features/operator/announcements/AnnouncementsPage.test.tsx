// Announcements for operators: the list, adding, editing and deleting.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { StaffRole } from '@/core/constants.gen';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { showToast } from '@/ui/toast';
import { fieldOnWire } from '@/ui/wireTime';
import { AnnouncementsPage } from './AnnouncementsPage';
import { announcement, signInAs } from './fixtures';

const LIST = 'Operator/GetAnnouncementList';
const SAVE = 'Operator/SaveAnnouncement';
const DELETE = 'Operator/DeleteAnnouncement';

function opens(rows: object[], more: Parameters<typeof answerWith>[0] = {}, at = '/') {
  const sent = answerWith({ [LIST]: { Data: rows }, ...more });
  return { sent, ...renderScreen(<AnnouncementsPage />, at) };
}

const bodies = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map(({ body }) => body);
const dialogOf = async (button: string) => {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog'));
};
const rowsOf = async () => {
  const list = await screen.findByRole('list', { name: 'Announcements' });
  return within(list).getAllByRole('listitem');
};

beforeEach(() => signInAs());

test('without announcements, the list says what they are for and offers to add one', async () => {
  opens([]);
  expect(await screen.findByText('No announcements yet')).toBeVisible();
  expect(screen.getByText(/maintenance, faults or offers/)).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Add announcement' })).toHaveLength(2);
});

test('a row has the text, when it is shown, who saved it, and what is missing; those that are shown come first', async () => {
  opens([
    announcement({ AnnouncementId: 3, State: 'over', ValidUntil: '2026-11-20 10:00:00', TextEn: 'Old news' }),
    announcement({ AnnouncementId: 2, State: 'coming', Tone: 'warning', TextEn: '', TextZh: '维护', Link: '/status' }),
    announcement({ TextZh: '' }),
  ]);
  const [shown, coming, over] = await rowsOf();
  for (const text of ['Ten percent off', 'Shown', 'From 2026-11-28 10:00:00', 'by boss@example.com', 'English only'])
    expect(shown).toHaveTextContent(text);
  for (const text of ['维护', 'Planned', 'Chinese only', 'Leads to /status']) expect(coming).toHaveTextContent(text);
  expect(within(coming as HTMLElement).getByRole('img', { name: 'Warning' })).toBeVisible();
  for (const text of ['Old news', 'Over', '2026-11-28 10:00:00 to 2026-11-20 10:00:00'])
    expect(over).toHaveTextContent(text);
});

test('the text is in the language of the reader', async () => {
  await i18next.changeLanguage('zh');
  opens([announcement()]);
  expect(await screen.findByText('九折优惠')).toBeVisible();
  expect(screen.queryByText('Ten percent off')).toBeNull();
});

test('the state is filtered in the address', async () => {
  const over = announcement({ AnnouncementId: 2, State: 'over', TextEn: 'Old news' });
  const { addressNow } = opens([announcement(), over], {}, '/?State=over');
  expect(await rowsOf()).toHaveLength(1);
  expect(screen.getByText('Old news')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Planned 0' }));
  expect(screen.getByText('No announcements with this status')).toBeVisible();
  expect(addressNow()).toBe('/?State=coming');
  await userEvent.click(screen.getByRole('radio', { name: 'All 2' }));
  expect(addressNow()).toBe('/');
});

test('an empty form says what is missing, and wrong values are refused at their fields', async () => {
  const { sent } = opens([announcement()]);
  const dialog = await dialogOf('Add announcement');
  const publish = () => userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
  await publish();
  expect(dialog.getByLabelText('Text in English')).toHaveAccessibleDescription(/at least one language/);
  await userEvent.type(dialog.getByLabelText('Text in Chinese'), '维护');
  expect(dialog.getByLabelText('Text in English')).toBeValid();
  await userEvent.type(dialog.getByLabelText('Link (optional)'), 'javascript:alert');
  await userEvent.type(dialog.getByLabelText('Shown from'), '2099-02-01 00:00');
  await userEvent.type(dialog.getByLabelText('Shown until'), '2099-01-01 00:00');
  await publish();
  expect(dialog.getByLabelText('Link (optional)')).toHaveAccessibleDescription(/begins with https/);
  expect(dialog.getByLabelText('Link (optional)')).toBeInvalid();
  expect(dialog.getByLabelText('Shown until')).toBeInvalid();
  expect(bodies(sent, SAVE)).toEqual([]);
});

test('each text is seen as customers will see it while it is typed', async () => {
  opens([announcement()]);
  const dialog = await dialogOf('Add announcement');
  const preview = (label: string) => within(dialog.getByRole('region', { name: `Preview: ${label}` }));
  await userEvent.type(dialog.getByLabelText('Text in English'), 'Maintenance{Enter}on Sunday');
  await userEvent.type(dialog.getByLabelText('Link (optional)'), '/status');
  expect(preview('Text in English').getByText('Maintenance on Sunday')).toBeVisible();
  // It is only looked at.
  expect(preview('Text in English').getByText('Read more')).toBeVisible();
  expect(preview('Text in English').queryByRole('link')).toBeNull();
  expect(preview('Text in Chinese').getByText(/see nothing/)).toBeVisible();
});

test('an announcement is added with all its terms, and the list is the answer', async () => {
  const { sent } = opens([], { [SAVE]: { Data: [announcement({ TextEn: 'Maintenance on Sunday' })] } });
  await screen.findByText('No announcements yet');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add announcement' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('radio', { name: 'Warning' }));
  await userEvent.type(dialog.getByLabelText('Text in English'), ' Maintenance on Sunday ');
  await userEvent.type(dialog.getByLabelText('Link (optional)'), '/status');
  await userEvent.type(dialog.getByLabelText('Shown until'), '2099-01-01 00:00');
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Maintenance on Sunday')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  // Empty fields are not sent.
  expect(bodies(sent, SAVE)).toEqual([
    {
      Tone: 'warning',
      TextEn: 'Maintenance on Sunday',
      Link: '/status',
      ValidUntil: fieldOnWire('2099-01-01 00:00'),
    },
  ]);
  expect(sent.find(({ call }) => call === SAVE)?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  expect(showToast).toHaveBeenCalledWith('The announcement is saved', 'success');
});

test('editing begins with what is there', async () => {
  const saved = announcement({ Link: '/status', ValidUntil: '2099-01-01 10:00:00', Tone: 'warning' });
  const { sent } = opens([saved], { [SAVE]: { Data: [announcement({ TextEn: 'Twenty percent off' })] } });
  const dialog = await dialogOf('Edit: Ten percent off');
  const text = dialog.getByLabelText('Text in English');
  expect(text).toHaveValue('Ten percent off');
  expect(dialog.getByLabelText('Shown until')).toHaveValue('2099-01-01 10:00');
  expect(dialog.getByRole('radio', { name: 'Warning' })).toBeChecked();
  expect(dialog.getByText(/who have closed it see it again/)).toBeVisible();
  await userEvent.clear(text);
  await userEvent.type(text, 'Twenty percent off');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Twenty percent off')).toBeVisible();
  expect(bodies(sent, SAVE)).toMatchObject([
    { AnnouncementId: 1, Tone: 'warning', TextEn: 'Twenty percent off', TextZh: '九折优惠', Link: '/status' },
  ]);
});

test('deleting asks first and shows what is deleted', async () => {
  const { sent } = opens([announcement()], { [DELETE]: { Data: [] } });
  const dialog = await dialogOf('Delete: Ten percent off');
  expect(dialog.getByText('九折优惠')).toBeVisible();
  expect(bodies(sent, DELETE)).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No announcements yet')).toBeVisible();
  expect(bodies(sent, DELETE)).toEqual([{ AnnouncementId: 1 }]);
});

test('one that another operator has deleted is gone from the list', async () => {
  let rows: object[] = [announcement()];
  opens([], {
    [LIST]: () => ({ Data: rows }),
    [DELETE]: () => {
      rows = [];
      return { Code: 3004, Message: 'Not found' };
    },
  });
  const dialog = await dialogOf('Delete: Ten percent off');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Announcements' })).toBeNull());
});

test('a role that may only read sees no buttons', async () => {
  signInAs(StaffRole.Support);
  opens([announcement()]);
  await rowsOf();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a failed load can be tried again', async () => {
  let isDown = true;
  opens([], { [LIST]: () => (isDown ? { Code: 5000, Message: 'Down' } : { Data: [announcement()] }) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByText('Ten percent off')).toBeVisible();
});
