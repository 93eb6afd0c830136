// Fetches queries again when something other than a call of this browser has changed them.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';

export function useRefetch(keys: readonly QueryKey[]): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
