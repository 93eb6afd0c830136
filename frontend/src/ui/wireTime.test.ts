// Conversion of times between form fields and the API.
import { expect, test } from 'vitest';
import { fieldOnWire, nowOnWire, shownInField } from './wireTime';

test("a field's time is sent as UTC, and shown to the minute when it comes back", () => {
  const local = new Date(2030, 0, 31, 23, 59);
  for (const typed of ['2030-01-31 23:59', ' 2030-01-31T23:59 '])
    expect(fieldOnWire(typed)).toBe(local.toISOString().slice(0, 19).replace('T', ' '));
  expect(shownInField('2030-01-31 23:59:41')).toBe('2030-01-31 23:59');
});

test('an empty field is an empty time, and invalid input is left to the rules', () => {
  expect(fieldOnWire('')).toBe('');
  expect(shownInField(undefined)).toBe('');
  for (const typed of ['tomorrow', '5', '2030-02-31 10:00', '2030-13-01 10:00', '2030-01-31 25:00', '2030-01-31'])
    expect(fieldOnWire(typed)).toBe(typed);
  expect(nowOnWire()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});
