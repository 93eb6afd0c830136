// The plans that the account owns. The session store has them; this file is apart from it because the sign-in screen needs no query cache.
import { useSessionStore } from './user';
import { useStored } from './useStored';

export function usePlanInfo(isWanted = true) {
  const planInfo = useSessionStore((state) => state.planInfo);
  return useStored(planInfo, { queryKey: ['plans'], load: useSessionStore.getState().loadPlanInfo, enabled: isWanted });
}
