// The query cache: one per session, discarded on sign-out.
import { QueryClient } from '@tanstack/react-query';
import { CallError } from '@/api/client';
import { useUserStore } from './user';

// Calls show their own errors, so only calls without a response are retried.
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

/** The query cache of the current session. */
export function queryClient(): QueryClient {
  const token = useUserStore.getState().info?.Token;
  if (cache?.of !== token || !cache) cache = { of: token, client: newQueryClient() };
  return cache.client;
}
