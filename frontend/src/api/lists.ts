// Pages of a list: by number, or after the page before where that page is known, which costs the server less.
import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, type Call, CallError, type CallOptions, post } from './client';

export interface Sort {
  Field: string;
  Direction: 'asc' | 'desc';
}

interface ListPage {
  Page: number;
  PageSize: number;
  Sort: Sort[];
  /** The cursor of the page before, which may have become invalid since. */
  After?: string;
}

/** One page of a list, as the server returns it. */
export interface Rows<Row> {
  Rows: Row[];
  Total: number;
  /** The total is a lower bound. */
  TotalIsAtLeast?: boolean;
  /** Fields that this list can currently be sorted by, if fewer than the columns offer. */
  SortableFields?: string[];
  /** The cursor of the page after this one. */
  Next?: string | null;
}

/** Options of the call that loads a page. */
interface LoadOptions {
  signal: AbortSignal;
  /** Nothing is shown yet, so the list shows the error itself, without a toast. */
  silent: boolean;
}

export type Load<Row> = (page: ListPage, options: LoadOptions) => Promise<Rows<Row>>;

/** A call that answers with a page of a list: `list(call)(asked)` loads its pages, with this search and filter. */
export const list =
  <C extends Call>(call: C) =>
  (asked: Omit<BodyOf<C>, keyof ListPage>) =>
  (page: Partial<ListPage>, options?: CallOptions) =>
    post(call, { ...page, ...asked } as unknown as BodyOf<C>, options);

/** `name` and `filtersKey` tell the list from others in the cache. */
export function listQuery<Row>(name: string, place: ListPage, filtersKey: string, load: Load<Row>) {
  const keyOf = (page: number) => [name, page, place.PageSize, place.Sort, filtersKey];
  return queryOptions({
    queryKey: keyOf(place.Page),
    queryFn: async ({ client, queryKey, signal }) => {
      const options = { signal, silent: client.getQueryData(queryKey) === undefined };
      const After = client.getQueryData<Rows<Row>>(keyOf(place.Page - 1))?.Next;
      if (!After) return load(place, options);
      try {
        return await load({ ...place, After }, { signal, silent: true });
      } catch (error) {
        if (!(error instanceof CallError) || error.isIgnored) throw error;
        // The cursor may be outdated; the number of the page is not. If that fails as well, it is reported.
        return load(place, options);
      }
    },
  });
}
