// Filters of the proxy user list, kept in the address.
import { useSearchParams } from 'react-router';
import type { ProxyUserFilter, ProxyUserState } from '@/api/proxyUsers';
import { SORT_KEY, useFilters } from '@/ui/listAddress';

const KEYS = ['Search', 'State'] as const;

/** Deleted users are never listed. */
export const SHOWN_STATES: ProxyUserState[] = ['active', 'paused', 'exhausted', 'expired'];

export function userFilterOf(parameters: URLSearchParams) {
  const filter: ProxyUserFilter = {};
  const state = SHOWN_STATES.find((one) => one === parameters.get('State'));
  if (state) filter.State = state;
  const search = parameters.get('Search') ?? '';
  const filters: Record<string, unknown> = { ...filter, ...(search && { Search: search }) };
  return { filter, search, filters };
}

export type UserFilter = ReturnType<typeof userFilterOf>;

export function useUserFilter() {
  const [parameters] = useSearchParams();
  const asked = userFilterOf(parameters);
  const [values, change] = useFilters(KEYS);
  /** Replaces filters and sorting with those of a saved view. */
  const replaceAll = (next: Record<string, unknown>, sort?: string) =>
    change({
      ...Object.fromEntries(KEYS.map((key) => [key, next[key] === undefined ? '' : String(next[key])])),
      ...(sort !== undefined && { [SORT_KEY]: sort }),
    });
  return { ...asked, state: values.State, change, replaceAll };
}
