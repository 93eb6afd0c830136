// The scale of a bar chart.
import { expect, test } from 'vitest';
import { scaleOf } from './scale';

test.each([
  [0, 4, [0]],
  [1, 4, [0, 1]],
  [3, 4, [0, 1, 2, 3]],
  [7, 4, [0, 2, 4, 6, 8]],
  [10, 4, [0, 5, 10]],
  [14_000_000_000, 4, [0, 5_000_000_000, 10_000_000_000, 15_000_000_000]],
  [97, 3, [0, 50, 100]],
  [9, 1, [0, 10]],
])('up to %d in at most %d steps', (highest, most, scale) => {
  expect(scaleOf(highest, most)).toEqual(scale);
});

test('the scale is at least as high as its highest bar, and less than twice as high', () => {
  for (let highest = 1; highest < 10_000; highest += 7) {
    const scale = scaleOf(highest, 4);
    const top = scale.at(-1) ?? 0;
    expect(top, String(highest)).toBeGreaterThanOrEqual(highest);
    expect(top, String(highest)).toBeLessThan(2 * highest + 1);
    expect(scale.length, String(highest)).toBeLessThanOrEqual(5);
  }
});
