// The plans that the account owns. The session store has them; this file is apart from it because the sign-in screen needs no query cache.
import { useSessionStore } from './user';
import { useStored } from './useStored';

export function usePlanInfo(isWanted = true) {
  const planInfo = useSessionStore((state) => state.planInfo);
  return useStored(planInfo, { queryKey: ['plans'], load: useSessionStore.getState().loadPlanInfo, enabled: isWanted });
}

/** What the wallet is charged first by automatic renewals: null where none is due, undefined before it is known. */
export function useNextCharge(isWanted = true) {
  const plans = usePlanInfo(isWanted);
  const charges = plans.data?.flatMap((plan) => (plan.NextCharge ? [plan.NextCharge] : []));
  return charges && (charges.toSorted((one, other) => one.At.localeCompare(other.At))[0] ?? null);
}
