// The account's plans. Kept apart from the session store, because the sign-in screen needs no query cache.
import { PLANS } from '@/api/staticProxies';
import { useSessionStore } from './user';
import { useStored } from './useStored';

export function usePlanInfo(isWanted = true) {
  const planInfo = useSessionStore((state) => state.planInfo);
  return useStored(planInfo, {
    queryKey: PLANS,
    load: useSessionStore.getState().loadPlanInfo,
    enabled: isWanted,
    // What expires or renews meanwhile changes the summary.
    refetchInterval: 60_000,
  });
}

/** The next automatic renewal charge: null if none is due, undefined until loaded. */
export function useNextCharge(isWanted = true) {
  const plans = usePlanInfo(isWanted);
  const charges = plans.data?.flatMap((plan) => (plan.NextCharge ? [plan.NextCharge] : []));
  return charges && (charges.toSorted((one, other) => one.At.localeCompare(other.At))[0] ?? null);
}
