// The plans for sale, with their prices.
import { create } from 'zustand';
import { post, type Schemas } from '@/api/client';
import { CATALOGUE } from '@/api/staticProxies';
import { useStored } from './useStored';

interface PlanState {
  /** Null until loaded. */
  planList: Schemas['Catalogue'] | null;
  loadPlans: () => Promise<void>;
}

export const usePlanStore = create<PlanState>((set) => ({
  planList: null,
  loadPlans: async () => set({ planList: await post('Ips/GetServerVer') }),
}));

export function useCatalogue() {
  const planList = usePlanStore((state) => state.planList);
  return useStored(planList, { queryKey: CATALOGUE, load: usePlanStore.getState().loadPlans, staleTime: 60_000 });
}
