// Data of both welcome screens.
import { useQuery } from '@tanstack/react-query';
import { getTraffic } from '@/api/traffic';
import { getOverview } from '@/api/welcome';
import { loadCore, shownTimeZone } from '@/core';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';

const overview = () => {
  const zone = shownTimeZone();
  return {
    queryKey: ['welcome', zone],
    queryFn: ({ signal }: { signal: AbortSignal }) => getOverview(zone, { signal, silent: true }),
  };
};

export const useOverview = () => useQuery(overview());

/** Shares its query with the residential traffic screens. */
export const useTrafficLeft = () =>
  useQuery({ queryKey: ['traffic'], queryFn: ({ signal }) => getTraffic({ signal, silent: true }) });

/** Prefetches the overview. */
export function preloadOverview() {
  if (useUserStore.getState().info) {
    // A failed load of the rules is reported by the screen.
    loadCore().then(
      () => queryClient().prefetchQuery(overview()),
      () => {},
    );
  }
  return null;
}
