// The plans that are sold.
import { create } from 'zustand';
import { post, type Schemas } from '@/api/client';

interface PlanState {
  planList: Schemas['Catalogue'] | null;
  loadPlans: () => Promise<void>;
}

export const usePlanStore = create<PlanState>((set) => ({
  planList: null,
  loadPlans: async () => set({ planList: await post('Ips/GetServerVer') }),
}));
