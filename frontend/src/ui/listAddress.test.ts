// What an address says of a list's page and sorting.
import { expect, test } from 'vitest';
import { limitedSort, readPage, readSort, type Sort, sortText } from './listAddress';

const by = (...fields: string[]): Sort[] => fields.map((Field) => ({ Field, Direction: 'asc' }));

test('a page that is none is the first', () => {
  for (const text of [null, '', '0', '-1', '1.5', 'x', '1e3', '9999999999']) expect(readPage(text)).toBe(1);
  expect(readPage('37')).toBe(37);
});

test('a sorting is read as it was written', () => {
  const sort: Sort[] = [
    { Field: 'City', Direction: 'asc' },
    { Field: 'ExpiresAt', Direction: 'desc' },
  ];
  expect(sortText(sort)).toBe('City,-ExpiresAt');
  expect(readSort('City,-ExpiresAt')).toEqual(sort);
  expect(readSort('')).toEqual([]);
  expect(readSort(null)).toEqual([]);
});

test('what nobody can have written is left out: fields twice, more than four, other signs', () => {
  expect(readSort('City,City,-City')).toEqual(by('City'));
  expect(readSort('A,B,C,D,E')).toEqual(by('A', 'B', 'C', 'D'));
  expect(readSort('A;DROP,B, C,--D')).toEqual(by('B'));
});

test('a fifth field takes the place of the fourth', () => {
  expect(limitedSort(by('A', 'B', 'C', 'D'))).toEqual(by('A', 'B', 'C', 'D'));
  expect(limitedSort(by('A', 'B', 'C', 'D', 'E'))).toEqual(by('A', 'B', 'C', 'E'));
});
