// What both welcome screens are made of.
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

/** Shared with the screens of residential traffic. */
export const useTrafficLeft = () =>
  useQuery({ queryKey: ['traffic'], queryFn: ({ signal }) => getTraffic({ signal, silent: true }) });

/** The overview is asked for while its screen is still being made. */
export function preloadOverview() {
  if (useUserStore.getState().info) {
    // Without the rules the screen is not shown either, and says why.
    loadCore().then(
      () => queryClient().prefetchQuery(overview()),
      () => {},
    );
  }
  return null;
}
