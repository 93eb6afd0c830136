// Formatting of places and times.
import { render } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { placeText, relativeTime, TimeLeft } from './texts';

const DAY = 86_400_000;

test.each([
  [29.4 * DAY, 'in 29 days', '29 天后'],
  [DAY, 'in 1 day', '1 天后'],
  [5.5 * 3_600_000, 'in 5 hours', '5 小时后'],
  [90_000, 'in 1 minute', '1 分钟后'],
  [20_000, 'in 1 minute', '1 分钟后'],
  [-20_000, '1 minute ago', '1 分钟前'],
  [-3 * DAY, '3 days ago', '3 天前'],
])('%d ms from now is shown in its largest unit', (ms, en, zh) => {
  expect(relativeTime(ms, 'en')).toBe(en);
  expect(relativeTime(ms, 'zh')).toBe(zh);
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
