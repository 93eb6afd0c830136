// Data of both welcome screens.
import { useQuery } from '@tanstack/react-query';
import { trafficQuery } from '@/api/traffic';
import { overviewQuery } from '@/api/welcome';
import { loadCore, shownTimeZone } from '@/core';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';

export const useOverview = () => useQuery(overviewQuery(shownTimeZone()));

/** Shares its query with the residential traffic screens. */
export const useTrafficLeft = () => useQuery(trafficQuery);

/** Prefetches the overview. */
export function preloadOverview() {
  if (useUserStore.getState().info) {
    // A failed load of the rules is reported by the screen.
    loadCore().then(
      () => queryClient().prefetchQuery(overviewQuery(shownTimeZone())),
      () => {},
    );
  }
  return null;
}
