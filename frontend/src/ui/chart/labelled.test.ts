// Chart labels do not overlap.
import { expect, test } from 'vitest';
import { labelled } from './labelled';

const slots = (count: number, markEvery = 0) =>
  Array.from({ length: count }, (_, index) => ({
    label: `${index}`,
    name: `${index}`,
    isMark: markEvery > 0 && index % markEvery === 0,
  }));

test.each([
  ['all of them fit', slots(4), 400, [0, 1, 2, 3]],
  ['every second fits', slots(8), 400, [0, 2, 4, 6]],
  ['hours of three days are labelled by their days', slots(72, 24), 400, [0, 24, 48]],
  ['days that do not fit either are thinned', slots(24 * 8, 24), 400, [0, 48, 96, 144]],
  ['a narrow chart has one', slots(30), 20, [0]],
  ['of nothing there is none', [], 400, []],
])('%s', (_, all, width, shown) => {
  expect(labelled(all, width, 100)).toEqual(shown);
});
