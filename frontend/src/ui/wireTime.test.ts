// Times between fields and the wire.
import { expect, test } from 'vitest';
import { fieldOnWire, nowOnWire, shownInField } from './wireTime';

test('a time of a field is in UTC on the wire, and shown to its minute when it comes back', () => {
  const local = new Date(2030, 0, 31, 23, 59);
  for (const typed of ['2030-01-31 23:59', ' 2030-01-31T23:59 '])
    expect(fieldOnWire(typed)).toBe(local.toISOString().slice(0, 19).replace('T', ' '));
  expect(shownInField('2030-01-31 23:59:41')).toBe('2030-01-31 23:59');
});

test('an empty field is an empty time, and what is no time is left to the rules', () => {
  expect(fieldOnWire('')).toBe('');
  expect(shownInField(undefined)).toBe('');
  for (const typed of ['tomorrow', '5', '2030-02-31 10:00', '2030-13-01 10:00', '2030-01-31 25:00', '2030-01-31'])
    expect(fieldOnWire(typed)).toBe(typed);
  expect(nowOnWire()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});
