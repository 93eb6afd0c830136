// Which columns a list shows, and how high its rows are.
import { expect, test } from 'vitest';
import { type Column, hiddenByDefault, rowHeight } from './gridFrame';

const column = (field: string, width: number, optional?: Column<unknown>['optional']): Column<unknown> => ({
  field,
  title: field,
  width,
  cell: () => null,
  ...(optional && { optional }),
});

const COLUMNS = [
  column('Ip', 300),
  column('Group', 150, 'room'),
  column('Plan', 100, true),
  column('Note', 80, 'room'),
];

test.each([
  [0, ['Group', 'Plan', 'Note']],
  [497, ['Group', 'Plan']],
  [498, ['Plan', 'Note']],
  [578, ['Plan']],
])('in %d pixels, %s are hidden by default', (width, hidden) => {
  expect(hiddenByDefault(COLUMNS, width, true)).toEqual(hidden);
});

test('compact rows have one line, also where the others have two', () => {
  const compact = rowHeight({ isTall: true, isCompact: true });
  expect(compact).toBe(rowHeight({ isTall: false, isCompact: true }));
  expect(compact).toBeLessThanOrEqual(36);
});
