// Hours, days and months of a chart, without gaps.
import { expect, test } from 'vitest';
import { addDays, daysIn, isDay, monthsBefore, today } from '@/ui/days';
import { bucketsOf } from './days';

const point = (StartsAt: string, DownloadBytes: number, UploadBytes = 0) => ({
  StartsAt,
  DownloadBytes,
  UploadBytes,
  Requests: 1,
});
const NOON = Date.parse('2026-11-22T12:34:00Z');

test('days are counted across months, leap days and clock changes', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysIn('2026-03-28', '2026-03-30')).toBe(3);
  expect(daysIn('2026-03-30', '2026-03-28')).toBeLessThan(1);
});

test('months are counted across years', () => {
  expect(monthsBefore('2026-11-22', 11)).toBe('2025-12-01');
  expect(monthsBefore('2026-12-31', 11)).toBe('2026-01-01');
  expect(monthsBefore('2026-03-31', 0)).toBe('2026-03-01');
});

test('today depends on the time zone', () => {
  expect(today('Asia/Shanghai', Date.parse('2026-11-22T16:00:00Z'))).toBe('2026-11-23');
  expect(today('America/New_York', Date.parse('2026-11-22T04:59:00Z'))).toBe('2026-11-21');
});

test.each(['', '“%s” is not a valid day', '22.11.2026', '2026-1-1'])('“%s” is no day', (text) => {
  expect(isDay(text)).toBe(false);
});

test('days without traffic are included, future days are not', () => {
  const buckets = bucketsOf(['2026-11-20', '2026-11-25'], 'day', [point('2026-11-21 00:00:00', 5, 2)], 'UTC', NOON);
  expect(buckets).toEqual([
    { key: '2026-11-20', download: 0, upload: 0 },
    { key: '2026-11-21', download: 5, upload: 2 },
    { key: '2026-11-22', download: 0, upload: 0 },
  ]);
});

test('months without traffic and partly covered months are included', () => {
  const points = [point('2026-09-15 00:00:00', 5, 2), point('2026-11-01 00:00:00', 1)];
  const buckets = bucketsOf(['2026-09-15', '2026-12-31'], 'month', points, 'UTC', NOON);
  expect(buckets).toEqual([
    { key: '2026-09', download: 5, upload: 2 },
    { key: '2026-10', download: 0, upload: 0 },
    { key: '2026-11', download: 1, upload: 0 },
  ]);
});

test('hours end at the current one, and a repeated hour is counted once', () => {
  const buckets = bucketsOf(
    ['2026-11-22', '2026-11-22'],
    'hour',
    [point('2026-11-22 01:30:00', 1), point('2026-11-22 01:00:00', 2)],
    'UTC',
    NOON,
  );
  expect(buckets).toHaveLength(13);
  expect(buckets[1]).toEqual({ key: '2026-11-22 01', download: 3, upload: 0 });
  expect(buckets.at(-1)?.key).toBe('2026-11-22 12');
});
