// The cache of what the server said. The layout makes one, so it is gone when somebody signs out.
import { QueryClient } from '@tanstack/react-query';
import { CallError } from '@/api/client';

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
