// Announcements above the screens of customers: their language, their links, and closing them.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { AnnouncementBanner } from './AnnouncementBanner';

const LIST = 'SystemSettings/GetAnnouncementList';

const announcement = (change: object = {}) => ({
  AnnouncementId: 1,
  Tone: 'info',
  TextEn: 'Ten percent off',
  TextZh: '九折优惠',
  Link: '',
  ChangedAt: '2026-11-28 10:00:00',
  ...change,
});

const opens = (Data: object[]) => {
  answerWith({ [LIST]: { Data } });
  return renderScreen(<AnnouncementBanner />);
};

test('the texts are in the language of the screen; those that are not written in it are left out', async () => {
  await i18next.changeLanguage('zh');
  opens([announcement(), announcement({ AnnouncementId: 2, TextEn: 'English only', TextZh: '' })]);
  const banner = within(await screen.findByRole('region', { name: '公告' }));
  expect(banner.getByText('九折优惠')).toBeVisible();
  expect(banner.queryByText('English only')).toBeNull();
  expect(banner.getAllByRole('button', { name: '关闭公告' })).toHaveLength(1);
});

test.each([
  ['/status', null],
  ['https://shop.example/news', '_blank'],
])('a link to %s has the target %s', async (Link, target) => {
  opens([announcement({ Link })]);
  const link = await screen.findByRole('link', { name: 'Read more' });
  expect(link).toHaveAttribute('href', Link);
  expect(link.getAttribute('target')).toBe(target);
  if (target) expect(link.getAttribute('rel')).toContain('noopener');
});

test('without an announcement there is no banner', async () => {
  const sent = answerWith({ [LIST]: { Data: [announcement({ TextEn: '' })] } });
  renderScreen(<AnnouncementBanner />);
  await expect.poll(() => sent.length).toBe(1);
  expect(screen.queryByRole('region')).toBeNull();
});

test('a closed one stays closed after a reload, until it says something else', async () => {
  const other = announcement({ AnnouncementId: 2, TextEn: 'Maintenance', Tone: 'warning' });
  const { unmount } = opens([other, announcement()]);
  await screen.findByText('Maintenance');
  const [, second] = screen.getAllByRole('button', { name: 'Close announcement' });
  await userEvent.click(second as HTMLElement);
  await waitFor(() => expect(screen.queryByText('Ten percent off')).toBeNull());
  expect(screen.getByText('Maintenance')).toBeVisible();
  unmount();

  const again = opens([other, announcement()]);
  await screen.findByText('Maintenance');
  expect(screen.queryByText('Ten percent off')).toBeNull();
  again.unmount();

  opens([announcement({ TextEn: 'Twenty percent off', ChangedAt: '2026-11-28 11:00:00' })]);
  expect(await screen.findByText('Twenty percent off')).toBeVisible();
});

test('what is stored by something else does not break it', async () => {
  localStorage.setItem('closed-announcements', '{');
  opens([announcement()]);
  expect(await screen.findByText('Ten percent off')).toBeVisible();
});
