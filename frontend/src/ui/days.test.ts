// Presets of date ranges.
import { expect, test } from 'vitest';
import { monthBefore, PRESETS, presetRange } from './days';

test('presets end today, except for past days and whole months', () => {
  const ranges = PRESETS.map((preset) => presetRange(preset, '2026-03-05'));
  expect(ranges).toEqual([
    ['2026-03-05', '2026-03-05'],
    ['2026-03-04', '2026-03-04'],
    ['2026-02-27', '2026-03-05'],
    ['2026-02-04', '2026-03-05'],
    ['2026-03-01', '2026-03-31'],
    ['2026-02-01', '2026-02-28'],
  ]);
});

test('months cross years and have their own lengths', () => {
  expect(presetRange('lastMonth', '2026-01-31')).toEqual(['2025-12-01', '2025-12-31']);
  expect(presetRange('thisMonth', '2028-02-29')).toEqual(['2028-02-01', '2028-02-29']);
  expect(presetRange('yesterday', '2026-01-01')).toEqual(['2025-12-31', '2025-12-31']);
  expect(monthBefore('2026-11-26', 11)).toEqual(['2025-12-01', '2025-12-31']);
});
