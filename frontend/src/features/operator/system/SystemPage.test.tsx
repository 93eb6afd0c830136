// The system screen: backups, background jobs and the version.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { JobName } from '@/core/constants.gen';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { pauseText, tookText } from './durations';
import { SystemPage } from './SystemPage';

const JOBS = 'Operator/GetJobList';
const BACKUPS = 'Operator/GetBackupList';

const job = (change: object = {}) => ({
  Job: 'send_mails',
  State: 'running',
  PauseSeconds: 1,
  BeganAt: '2026-11-28 09:58:00',
  TookMs: 12,
  NextAt: '2026-11-28 09:58:01',
  Error: null,
  FailingSince: null,
  ...change,
});
const failing = job({
  Job: 'renew_nodes',
  State: 'failing',
  PauseSeconds: 600,
  NextAt: '2026-11-28 10:08:00',
  Error: 'the database is locked',
  FailingSince: '2026-11-28 07:00:00',
});
const late = job({ Job: 'check_the_books', State: 'late', BeganAt: '2026-11-27 10:00:00' });

const backup = (change: object = {}) => ({
  BeganAt: '2026-11-26 02:00:00',
  TookMs: 3_200,
  Bytes: 12_500_000,
  IsEncrypted: true,
  FileName: 'postern-20261126-020000.tar.locked',
  ...change,
});
const backups = (Backups: object[], IsRecent = Backups.length > 0) => ({
  Data: { Backups, IsRecent, Version: '0.1.0', Database: 'SQLite' },
});

function opens(jobs: object[], list = backups([backup()]), at = '/') {
  const sent = answerWith({ [JOBS]: { Data: jobs }, [BACKUPS]: list });
  return { sent, ...renderScreen(<SystemPage />, at) };
}

const rowOf = async (name: string) => {
  const row = (await screen.findByRole('rowheader', { name })).closest('tbody');
  if (!row) throw new Error(`no row of ${name}`);
  return row;
};

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.useFakeTimers({ now: new Date('2026-11-28T10:00:00'), shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});
const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });

describe('backups', () => {
  test('without one, the command is there to be copied', async () => {
    opens([job()], backups([]));
    expect(await screen.findByText('There is no backup yet')).toBeVisible();
    expect(screen.getByText(/is lost: accounts/)).not.toHaveTextContent('since');
    expect(screen.getByText('postern backup FILE')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy the command' })).toBeVisible();
    const guide = screen.getByRole('link', { name: 'how to automate, encrypt and restore backups' });
    expect(guide).toHaveAttribute('href', '/docs/backups');
    expect(screen.queryByRole('table', { name: 'Backups' })).toBeNull();
  });

  test('an old one is a warning', async () => {
    opens([job()], backups([backup({ BeganAt: '2026-11-18 02:00:00' })], false));
    expect(await screen.findByText('The last backup is more than 7 days old')).toBeVisible();
    expect(screen.getByText('Last backup 10 days ago')).toBeVisible();
    expect(screen.getByText('postern backup FILE')).toBeVisible();
  });

  test('a recent one is none, and the last ones are listed', async () => {
    const rows = Array.from({ length: 7 }, (_, index) =>
      backup({ FileName: `${index}.tar`, IsEncrypted: index > 0, BeganAt: `2026-11-2${6 - index} 02:00:00` }),
    );
    opens([job()], backups(rows));
    expect(await screen.findByText('Last backup 2 days ago')).toBeVisible();
    expect(screen.queryByText('postern backup FILE')).toBeNull();
    const table = within(screen.getByRole('table', { name: 'Backups' }));
    expect(table.getAllByRole('row')).toHaveLength(6);
    expect(table.getAllByRole('row')[1]).toHaveTextContent('2026-11-26 02:00:000.tarNo12.5 MB3.2 sec');
    expect(table.getAllByRole('row')[2]).toHaveTextContent('1.tarYes');
    await user.click(screen.getByRole('button', { name: 'Show all 7 backups' }));
    expect(table.getAllByRole('row')).toHaveLength(8);
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
  });

  test('the version and the database are named', async () => {
    opens([job()]);
    expect(await screen.findByText('Postern 0.1.0 on SQLite')).toBeVisible();
  });
});

describe('jobs', () => {
  test('every job has a name of its own in both languages', () => {
    for (const lng of ['en', 'zh']) {
      const names = Object.values(JobName).map((name) => i18next.t(`system:jobs.${name}`, { lng }));
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('a job has its last run, how long it took, the next one and its pause', async () => {
    opens([job({ Job: 'upkeep', PauseSeconds: 600, NextAt: '2026-11-28 10:08:00', TookMs: 1_250 })]);
    const row = await rowOf('Delete expired data');
    expect(row).toHaveTextContent('Delete expired dataRunning2 minutes agoin 8 minutes10 minutes1.3 sec');
    expect(within(row).getByText('Running')).toHaveAttribute('data-tone', 'good');
    expect(screen.queryByRole('group', { name: 'Jobs to show' })).toBeNull();
  });

  test('problems are first, with their error in full', async () => {
    opens([job(), failing, late]);
    await rowOf('Send mails');
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual([
      'Renew static proxies',
      'Check the books',
      'Send mails',
    ]);
    const broken = within(await rowOf('Renew static proxies'));
    expect(broken.getByText('Failing')).toHaveAttribute('data-tone', 'bad');
    expect(broken.getByText('the database is locked')).toBeVisible();
    expect(broken.getByText('Began to fail 3 hours ago')).toBeVisible();
    const slow = await rowOf('Check the books');
    expect(within(slow).getByText('Late')).toHaveAttribute('data-tone', 'warn');
    expect(slow).toHaveTextContent('no server of the shop runs its jobs');
  });

  test('only problems, by the address', async () => {
    const { addressNow } = opens([job(), failing]);
    await user.click(await screen.findByRole('radio', { name: 'Only problems 1' }));
    expect(screen.getAllByRole('rowheader')).toHaveLength(1);
    expect(addressNow()).toBe('/?Show=problems');
    await user.click(screen.getByRole('radio', { name: 'All 2' }));
    expect(screen.getAllByRole('rowheader')).toHaveLength(2);
  });

  test('a link to the problems still says something when there are none', async () => {
    opens([job()], undefined, '/?Show=problems');
    expect(await screen.findByText('No job has a problem')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'All 1' })).toBeVisible();
  });

  test('before the first note, the screen says when there is one', async () => {
    opens([]);
    expect(await screen.findByText('No job has run yet')).toBeVisible();
    expect(screen.getByText(/noted once a minute/)).toBeVisible();
  });

  test('on phones, jobs and backups are rows', async () => {
    onPhone();
    opens([failing]);
    const row = within(await screen.findByRole('list', { name: 'Background jobs' }));
    expect(row.getByText('the database is locked')).toBeVisible();
    expect(row.getByText('Pause: 10 minutes')).toBeVisible();
    expect(row.getByText('Next run in 8 minutes')).toBeVisible();
    expect(screen.getByRole('list', { name: 'Backups' })).toHaveTextContent('Encrypted');
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('both are fetched again every half minute', async () => {
    const { sent } = opens([job()]);
    await rowOf('Send mails');
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(31_000);
    await waitFor(() =>
      expect(
        sent
          .slice(before)
          .map(({ call }) => call)
          .sort(),
      ).toEqual([BACKUPS, JOBS]),
    );
  });

  test('a failure of one leaves the other', async () => {
    answerWith({ [JOBS]: { Code: 5000, Message: 'Busy' }, [BACKUPS]: backups([backup()]) });
    renderScreen(<SystemPage />);
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
    expect(await screen.findByText('Last backup 2 days ago')).toBeVisible();
  });
});

test.each([
  [0, '0 ms', '0 毫秒'],
  [340, '340 ms', '340 毫秒'],
  [3_240, '3.2 sec', '3.2 秒'],
  [42_400, '42 sec', '42 秒'],
  [600_000, '10 min', '10 分钟'],
])('%d ms took %s or %s', (ms, en, zh) => {
  expect(tookText(ms, 'en')).toBe(en);
  expect(tookText(ms, 'zh')).toBe(zh);
});

test.each([
  [1, '1 second', '1 秒'],
  [20, '20 seconds', '20 秒'],
  [600, '10 minutes', '10 分钟'],
  [86_400, '1 day', '1 天'],
])('a pause of %d seconds is %s or %s', (seconds, en, zh) => {
  expect(pauseText(seconds, 'en')).toBe(en);
  expect(pauseText(seconds, 'zh')).toBe(zh);
});
