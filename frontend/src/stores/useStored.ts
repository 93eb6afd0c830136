// Data owned by a store and kept fresh by the query cache, which tracks fetching but holds no copy.
import { type QueryKey, useQuery } from '@tanstack/react-query';

interface StoredQuery {
  /** The query key that other features invalidate. */
  queryKey: QueryKey;
  /** Fetches the data and writes it to the store. */
  load: () => Promise<void>;
  staleTime?: number;
  refetchInterval?: number;
  enabled?: boolean;
}

/** `data` is the store's current value; null until loaded. */
export function useStored<T>(data: T | null, { load, ...options }: StoredQuery) {
  const query = useQuery({
    ...options,
    queryFn: async () => {
      await load();
      return null;
    },
  });
  return {
    data: data ?? undefined,
    isPending: data === null && query.isPending,
    isError: query.isError,
    error: query.error,
    refetch: query.refetch,
  };
}
