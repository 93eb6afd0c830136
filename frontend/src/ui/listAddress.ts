// Where somebody is in a list: its page and its sorting, which are in the address, so that they survive a reload and the way back.
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { MAX_SORT_FIELDS } from '@/core/constants.gen';

export interface Sort {
  Field: string;
  Direction: 'asc' | 'desc';
}

export const PAGE_KEY = 'Page';
export const SORT_KEY = 'Sort';

/** The server sorts by so many fields at once: one more takes the place of the last. */
export const limitedSort = (sort: Sort[]): Sort[] =>
  sort.length > MAX_SORT_FIELDS ? [...sort.slice(0, MAX_SORT_FIELDS - 1), ...sort.slice(-1)] : sort;

/** `City,-ExpiresAt`: by city, and where that is the same, what expires last first. */
export const sortText = (sort: Sort[]): string =>
  sort.map(({ Field, Direction }) => (Direction === 'desc' ? `-${Field}` : Field)).join(',');

export function readSort(text: string | null): Sort[] {
  const sort: Sort[] = [];
  for (const [, minus, field = ''] of (text ?? '').matchAll(/(?:^|,)(-?)(\w+)(?=,|$)/g)) {
    if (!sort.some((one) => one.Field === field)) sort.push({ Field: field, Direction: minus ? 'desc' : 'asc' });
  }
  return sort.slice(0, MAX_SORT_FIELDS);
}

export const readPage = (text: string | null): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 1);

type Texts<Key extends string> = Record<Key, string>;

/**
 * Filters of a list: in the address, or, with something to begin with, in a dialog, here alone. A change leads back to the first page.
 * An empty text is no filter and is not in the address.
 */
export function useFilters<Key extends string>(keys: readonly Key[], initial?: Partial<Texts<Key>>) {
  const [parameters, setParameters] = useSearchParams();
  const [local, setLocal] = useState(initial);
  const textOf = (key: Key) => (local ? local[key] : parameters.get(key)) ?? '';
  const values = Object.fromEntries(keys.map((key) => [key, textOf(key)])) as Texts<Key>;
  const change = (next: Partial<Record<Key | typeof SORT_KEY, string>>) => {
    if (local) return setLocal({ ...local, ...next });
    setParameters(
      (now) => {
        const changed = new URLSearchParams(now);
        for (const [key, value] of Object.entries(next) as [string, string | undefined][]) {
          if (value) changed.set(key, value);
          else changed.delete(key);
        }
        changed.delete(PAGE_KEY);
        return changed;
      },
      { replace: true },
    );
  };
  return [values, change] as const;
}
