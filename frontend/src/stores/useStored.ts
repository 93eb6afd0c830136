// Data that a store owns, kept fresh by the query cache: the cache knows when it was asked for and how that went, and has no copy.
import { type QueryKey, useQuery } from '@tanstack/react-query';

interface Asked {
  /** By what the rest of the app says that the data may have changed. */
  queryKey: QueryKey;
  /** Asks the server and puts the answer into the store. */
  load: () => Promise<void>;
  staleTime?: number;
  enabled?: boolean;
}

/** `data` is what the store has now; null before it was loaded. */
export function useStored<T>(data: T | null, { load, ...asked }: Asked) {
  const query = useQuery({
    ...asked,
    queryFn: async () => {
      await load();
      return null;
    },
  });
  return {
    data: data ?? undefined,
    isPending: data === null && query.isPending,
    isError: query.isError,
    refetch: query.refetch,
  };
}
