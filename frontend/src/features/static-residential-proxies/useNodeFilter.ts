// What the proxy list is narrowed by. It lives in the address: a filtered list can be linked to, and the way back works.
import { useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';

const TEXTS = ['VerStr', 'Country', 'City', 'State', 'Target'] as const;
const NUMBERS = ['GroupId', 'EndsWithinDays'] as const;
const KEYS = ['Search', ...TEXTS, ...NUMBERS, 'AutoRenew'] as const;

export type FilterKey = (typeof KEYS)[number];

/** What an address says. */
export function nodeFilterOf(parameters: URLSearchParams) {
  const filter: Schemas['NodeFilter'] = {};
  for (const key of TEXTS) {
    const value = parameters.get(key);
    if (value) filter[key] = value;
  }
  for (const key of NUMBERS) {
    const value = parameters.get(key);
    if (value && /^\d{1,9}$/.test(value)) filter[key] = Number(value);
  }
  const autoRenew = parameters.get('AutoRenew');
  if (autoRenew === 'true' || autoRenew === 'false') filter.AutoRenew = autoRenew === 'true';
  const search = parameters.get('Search') ?? '';
  const narrowedBy: Record<string, unknown> = { ...filter, ...(search && { Search: search }) };
  return { filter, search, narrowedBy };
}

export function useNodeFilter() {
  const [parameters, setParameters] = useSearchParams();
  const asked = nodeFilterOf(parameters);
  const change = (next: Partial<Record<FilterKey, string>>) =>
    setParameters(
      (now) => {
        const changed = new URLSearchParams(now);
        for (const [key, value] of Object.entries(next)) {
          if (value) changed.set(key, value);
          else changed.delete(key);
        }
        return changed;
      },
      { replace: true },
    );
  /** Exactly these, as a saved view has them. */
  const replaceAll = (next: Record<string, unknown>) =>
    change(Object.fromEntries(KEYS.map((key) => [key, next[key] === undefined ? '' : String(next[key])])));

  return {
    ...asked,
    valueOf: (key: FilterKey) => parameters.get(key) ?? '',
    change,
    replaceAll,
    clear: () => replaceAll({}),
    count: Object.keys(asked.filter).length,
  };
}

export type NodeFilterState = ReturnType<typeof useNodeFilter>;
