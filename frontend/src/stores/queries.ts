// The query cache: one for each session, so that it is gone when the user signs out.
import { QueryClient } from '@tanstack/react-query';
import { CallError } from '@/api/client';
import { useUserStore } from './user';

// Calls show their own errors, so a failed one is repeated only when nothing came back.
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 1 && !(error instanceof CallError && error.code !== undefined),
        refetchOnWindowFocus: false,
      },
    },
  });

let cache: { of: string | undefined; client: QueryClient } | undefined;

/** The cache of the session. */
export function queryClient(): QueryClient {
  const token = useUserStore.getState().info?.Token;
  if (cache?.of !== token || !cache) cache = { of: token, client: newQueryClient() };
  return cache.client;
}
