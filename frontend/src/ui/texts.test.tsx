// Formatting of places and times.
import { render } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { placeText, relativeTime, TimeLeft } from './texts';

test.each([
  ['2026-11-25 10:00:00', '2026-12-25 09:00:00', 'in 30 days', '30 天后'],
  ['2026-11-25 10:00:00', '2026-12-24 23:59:59', 'in 29 days', '29 天后'],
  ['2026-11-25 23:50:00', '2026-11-27 00:10:00', 'in 2 days', '2 天后'],
  ['2026-11-25 00:10:00', '2026-11-26 23:50:00', 'in 1 day', '1 天后'],
  ['2026-11-25 00:10:00', '2026-11-25 23:50:00', 'in 1 day', '1 天后'],
  ['2026-11-25 10:00:00', '2026-11-26 09:20:00', 'in 23 hours', '23 小时后'],
  ['2026-11-25 10:00:00', '2026-11-25 15:40:00', 'in 6 hours', '6 小时后'],
  ['2026-11-25 10:00:00', '2026-11-25 10:59:40', 'in 1 hour', '1 小时后'],
  ['2026-11-25 10:00:00', '2026-11-25 10:01:20', 'in 1 minute', '1 分钟后'],
  ['2026-11-25 10:00:00', '2026-11-25 10:00:10', 'in 1 minute', '1 分钟后'],
  ['2026-11-25 10:00:00', '2026-11-25 09:59:50', '1 minute ago', '1 分钟前'],
  ['2026-11-25 10:00:00', '2026-11-22 12:00:00', '3 days ago', '3 天前'],
  ['2024-02-28 12:00:00', '2024-03-01 12:00:00', 'in 2 days', '2 天后'],
])('at %s, %s is %s', (now, at, en, zh) => {
  expect(relativeTime(new Date(at), new Date(now), 'en')).toBe(en);
  expect(relativeTime(new Date(at), new Date(now), 'zh')).toBe(zh);
});

test.each([
  [5, '0:05'],
  [899, '14:59'],
  [86_391, '23:59:51'],
])('%d seconds left are shown as %s', (seconds, text) => {
  expect(render(<TimeLeft seconds={seconds} />).container).toHaveTextContent(text);
});

test('a place is written in the order and punctuation of the language', async () => {
  expect(placeText('New York', 'United States')).toBe('New York, United States');
  await i18next.changeLanguage('zh');
  expect(placeText('纽约', '美国')).toBe('美国·纽约');
});
