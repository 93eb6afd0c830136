// Filters of the proxy list, kept in the address so that filtered lists can be linked to.
import { useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { NodeState } from '@/core/constants.gen';
import { SORT_KEY, useFilters } from '@/ui/listAddress';

const TEXTS = ['VerStr', 'Country', 'City', 'Target', 'OrderNumber'] as const;
const NUMBERS = ['GroupId', 'EndsWithinDays'] as const;
const KEYS = ['Search', 'State', ...TEXTS, ...NUMBERS, 'AutoRenew'] as const;

export type FilterKey = (typeof KEYS)[number];

/** Reads the filters from an address. */
export function nodeFilterOf(parameters: URLSearchParams) {
  const filter: Schemas['NodeFilter'] = {};
  for (const key of TEXTS) {
    const value = parameters.get(key);
    if (value) filter[key] = value;
  }
  const state = Object.values(NodeState).find((one) => one === parameters.get('State'));
  if (state) filter.State = state;
  for (const key of NUMBERS) {
    const value = parameters.get(key);
    if (value && /^\d{1,9}$/.test(value)) filter[key] = Number(value);
  }
  const autoRenew = parameters.get('AutoRenew');
  if (autoRenew === 'true' || autoRenew === 'false') filter.AutoRenew = autoRenew === 'true';
  const search = parameters.get('Search') ?? '';
  const filters: Record<string, unknown> = { ...filter, ...(search && { Search: search }) };
  return { filter, search, filters };
}

export function useNodeFilter() {
  const [parameters] = useSearchParams();
  const asked = nodeFilterOf(parameters);
  const [values, change] = useFilters(KEYS);
  /** Replaces filters and sorting with those of a saved view. */
  const replaceAll = (next: Record<string, unknown>, sort?: string) =>
    change({
      ...Object.fromEntries(KEYS.map((key) => [key, next[key] === undefined ? '' : String(next[key])])),
      ...(sort !== undefined && { [SORT_KEY]: sort }),
    });

  return {
    ...asked,
    valueOf: (key: FilterKey) => values[key],
    change,
    replaceAll,
    clear: () => replaceAll({}),
    count: Object.keys(asked.filter).length,
  };
}

export type NodeFilterState = ReturnType<typeof useNodeFilter>;
