// Page and sorting of a list in the address.
import { act, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Sort } from '@/api/lists';
import { limitedSort, readPage, readSort, sortText, useFilters } from './listAddress';

const by = (...fields: string[]): Sort[] => fields.map((Field) => ({ Field, Direction: 'asc' }));

test('an invalid page is the first page', () => {
  for (const text of [null, '', '0', '-1', '1.5', 'x', '1e3', '9999999999']) expect(readPage(text)).toBe(1);
  expect(readPage('37')).toBe(37);
});

test('a sort order is read as written', () => {
  const sort: Sort[] = [
    { Field: 'City', Direction: 'asc' },
    { Field: 'ExpiresAt', Direction: 'desc' },
  ];
  expect(sortText(sort)).toBe('City,-ExpiresAt');
  expect(readSort('City,-ExpiresAt')).toEqual(sort);
  expect(readSort('')).toEqual([]);
  expect(readSort(null)).toEqual([]);
});

test('invalid sort orders are ignored: duplicate fields, more than four, unknown characters', () => {
  expect(readSort('City,City,-City')).toEqual(by('City'));
  expect(readSort('A,B,C,D,E')).toEqual(by('A', 'B', 'C', 'D'));
  expect(readSort('A;DROP,B, C,--D')).toEqual(by('B'));
});

test('a fifth field replaces the fourth', () => {
  expect(limitedSort(by('A', 'B', 'C', 'D'))).toEqual(by('A', 'B', 'C', 'D'));
  expect(limitedSort(by('A', 'B', 'C', 'D', 'E'))).toEqual(by('A', 'B', 'C', 'E'));
});

test('two filters that change before the screen is drawn again are both kept', () => {
  const { result } = renderHook(() => useFilters(['Search', 'Tier', 'City']), { wrapper: MemoryRouter });
  const change = (next: Parameters<(typeof result.current)[1]>[0]) => act(() => result.current[1](next));
  const [, early] = result.current;
  act(() => {
    early({ Search: 'new' });
    early({ Tier: 'regular' });
  });
  expect(result.current[0]).toEqual({ Search: 'new', Tier: 'regular', City: '' });
  change({ Search: '' });
  change({ City: 'dallas' });
  expect(result.current[0]).toEqual({ Search: '', Tier: 'regular', City: 'dallas' });
});
