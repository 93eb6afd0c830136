// The usage panel: requests and display.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { UsageView } from '@/api/usage';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { saveFile } from '@/ui/saveFile';
import { UsagePanel } from './UsagePanel';

const RANGE = '/?From=2026-11-01&To=2026-11-03';
const usage = (change: Partial<UsageView> = {}): UsageView => ({
  Points: [
    { StartsAt: '2026-11-01 00:00:00', DownloadBytes: 2_000_000_000, UploadBytes: 500_000_000, Requests: 10 },
    { StartsAt: '2026-11-03 00:00:00', DownloadBytes: 1_000_000, UploadBytes: 0, Requests: 1 },
  ],
  TotalBytes: 2_501_000_000,
  Requests: 11,
  PreviousBytes: 5_002_000_000,
  Split: [
    { Name: '4', Label: 'scraper_1', Bytes: 2_500_000_000, Requests: 10, PreviousBytes: 0 },
    { Name: '9', Bytes: 1_000_000, Requests: 1, PreviousBytes: 0 },
  ],
  ...change,
});
const asked = (sent: Sent[]) => sent.filter((one) => one.call === 'Usage/GetUsage').map((one) => one.body);

test('the table behind the chart has every day, including those without traffic', async () => {
  answerWith({ 'Usage/GetUsage': { Data: usage() } });
  renderScreen(<UsagePanel />, RANGE);
  const table = await screen.findByRole('table', { name: 'Traffic by day' });
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['DayDownloadUploadTotal', '2026-11-012 GB500 MB2.5 GB', '2026-11-020 B0 B0 B', '2026-11-031 MB0 B1 MB']);
  expect(screen.getByText('−50%')).toBeVisible();
  expect(screen.getByText('5 GB in the previous period')).toBeVisible();
});

test('traffic whose exit is unknown has a row without a flag', async () => {
  const parts = [
    { Name: 'US', Bytes: 20, Requests: 2, PreviousBytes: 0 },
    { Name: 'ZZ', Bytes: 10, Requests: 1, PreviousBytes: 0 },
  ];
  answerWith({ 'Usage/GetUsage': { Data: usage({ Split: parts }) } });
  renderScreen(<UsagePanel />, `${RANGE}&By=country`);
  const unknown = await screen.findByRole('rowheader', { name: 'Unknown country' });
  expect(unknown.querySelector('img, svg')).toBeNull();
  const known = screen.getByRole('rowheader', { name: 'United States' });
  expect(known.querySelector('img, svg')).not.toBeNull();
});

test('arrow keys move from bar to bar, and each is announced', async () => {
  answerWith({ 'Usage/GetUsage': { Data: usage() } });
  renderScreen(<UsagePanel />, RANGE);
  const chart = await screen.findByRole('slider', { name: /^Traffic by day/ });
  chart.focus();
  fireEvent.keyDown(chart, { key: 'End' });
  expect(chart).toHaveAttribute('aria-valuetext', '2026-11-03: Download 1 MB, Upload 0 B, Total 1 MB');
  fireEvent.keyDown(chart, { key: 'ArrowLeft' });
  expect(chart).toHaveAttribute('aria-valuenow', '1');
  fireEvent.keyDown(chart, { key: 'Home' });
  fireEvent.keyDown(chart, { key: 'ArrowLeft' });
  expect(chart).toHaveAttribute('aria-valuenow', '0');
});

test("the range is sent as UTC times, with the user's time zone", async () => {
  const sent = answerWith({ 'Usage/GetUsage': { Data: usage() } });
  renderScreen(<UsagePanel />, RANGE);
  await screen.findByText('scraper_1');
  expect(asked(sent)[0]).toMatchObject({
    Kind: 'residential',
    Dimension: 'user',
    Step: 'day',
    StartTime: expect.stringMatching(/^2026-(10-31|11-01) \d\d:\d\d:\d\d$/),
    EndTime: expect.stringMatching(/^2026-11-0[34] \d\d:\d\d:\d\d$/),
    TimeZone: expect.any(String),
  });
});

test('changing the split refetches, and a deleted user, the remainder and a country have names', async () => {
  const sent = answerWith({
    'Usage/GetUsage': ({ body }) => ({
      Data: usage(
        body.Dimension === 'country'
          ? {
              Split: [
                { Name: 'DE', Bytes: 5, Requests: 1, PreviousBytes: 0 },
                { Name: '', Bytes: 1, Requests: 1, PreviousBytes: 0 },
              ],
            }
          : {},
      ),
    }),
  });
  const { addressNow } = renderScreen(<UsagePanel />, RANGE);
  expect(await screen.findByText('Deleted proxy user 9')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Country' }));
  expect(await screen.findByText('Germany')).toBeVisible();
  expect(screen.getByText('All others')).toBeVisible();
  expect(asked(sent).at(-1)).toMatchObject({ Dimension: 'country' });
  expect(addressNow()).toContain('By=country');
});

test('the hourly step is offered for a few days only', async () => {
  answerWith({ 'Usage/GetUsage': { Data: usage() } });
  const { unmount } = renderScreen(<UsagePanel />, RANGE);
  await userEvent.click(await screen.findByRole('radio', { name: 'Hour' }));
  expect(await screen.findByRole('table', { name: 'Traffic by hour' })).toBeInTheDocument();
  unmount();
  renderScreen(<UsagePanel />, '/?From=2026-10-01&To=2026-11-03&Step=hour');
  expect(await screen.findByRole('table', { name: 'Traffic by day' })).toBeInTheDocument();
  expect(screen.queryByRole('radio', { name: 'Hour' })).toBeNull();
});

test('a year is shown by month, or by day on request', async () => {
  const sent = answerWith({ 'Usage/GetUsage': { Data: usage() } });
  const { addressNow } = renderScreen(<UsagePanel />, RANGE);
  await userEvent.click(await screen.findByRole('radio', { name: '12 months' }));
  expect(await screen.findByRole('table', { name: 'Traffic by month' })).toBeInTheDocument();
  expect(asked(sent).at(-1)).toMatchObject({ Step: 'month' });
  expect(addressNow()).toMatch(/From=\d{4}-\d\d-01/);
  expect(screen.getByRole('radio', { name: '12 months' })).toBeChecked();
  await userEvent.click(screen.getByRole('radio', { name: 'Day' }));
  expect(await screen.findByRole('table', { name: 'Traffic by day' })).toBeInTheDocument();
  expect(asked(sent).at(-1)).toMatchObject({ Step: 'day' });
});

test('a range without traffic says so', async () => {
  answerWith({
    'Usage/GetUsage': { Data: usage({ Points: [], TotalBytes: 0, PreviousBytes: 0, Requests: 0, Split: [] }) },
  });
  renderScreen(<UsagePanel />, RANGE);
  expect(await screen.findAllByText('No traffic in this period')).toHaveLength(2);
  expect(screen.getByText('None in the previous period')).toBeVisible();
});

test('a failed load can be retried', async () => {
  let isThere = false;
  answerWith({ 'Usage/GetUsage': () => (isThere ? { Data: usage() } : { Code: 5000, Message: 'x' }) });
  renderScreen(<UsagePanel />, RANGE);
  const again = await screen.findByRole('button', { name: 'Try again' });
  isThere = true;
  await userEvent.click(again);
  expect(await screen.findByText('scraper_1')).toBeVisible();
});

test('the shown data is exported as CSV', async () => {
  const sent = answerWith({
    'Usage/GetUsage': { Data: usage() },
    'Usage/ExportUsage': { file: 'usage.csv', text: 'a,b' },
  });
  renderScreen(<UsagePanel />, RANGE);
  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalled());
  expect(sent.find((one) => one.call === 'Usage/ExportUsage')?.body).toMatchObject({ Dimension: 'user', Step: 'day' });
});
