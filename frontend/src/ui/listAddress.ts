// Page, sorting and filters of a list in the address, so that they survive a reload and back navigation.
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Sort } from '@/api/lists';
import { MAX_SORT_FIELDS } from '@/core/constants.gen';

export const PAGE_KEY = 'Page';
export const SORT_KEY = 'Sort';

/** Maximum number of sort fields: one more replaces the last. */
export const limitedSort = (sort: Sort[]): Sort[] =>
  sort.length > MAX_SORT_FIELDS ? [...sort.slice(0, MAX_SORT_FIELDS - 1), ...sort.slice(-1)] : sort;

/** `City,-ExpiresAt`: by city, then by expiry, latest first. */
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
 * Filters of a list: in the address, or, with initial values, in local state for lists in dialogs. A change goes back to the first
 * page. Empty values are not filters and are not in the address.
 */
export function useFilters<Key extends string>(keys: readonly Key[], initial?: Partial<Texts<Key>>) {
  const [parameters, setParameters] = useSearchParams();
  const [local, setLocal] = useState(initial);
  // The router's setter knows the address of the last render only: a search that ends because its field is left for another filter would be lost.
  const written = useRef({ parameters, latest: parameters });
  if (written.current.parameters !== parameters) written.current = { parameters, latest: parameters };
  const textOf = (key: Key) => (local ? local[key] : parameters.get(key)) ?? '';
  const values = Object.fromEntries(keys.map((key) => [key, textOf(key)])) as Texts<Key>;
  const change = (next: Partial<Record<Key | typeof SORT_KEY, string>>) => {
    if (local) return setLocal({ ...local, ...next });
    const changed = new URLSearchParams(written.current.latest);
    for (const [key, value] of Object.entries(next) as [string, string | undefined][]) {
      if (value) changed.set(key, value);
      else changed.delete(key);
    }
    changed.delete(PAGE_KEY);
    written.current.latest = changed;
    setParameters(changed, { replace: true });
  };
  return [values, change] as const;
}
