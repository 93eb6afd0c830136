// The tiers with their prices, kept in the plan store.
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import { usePlanStore } from '@/stores/plan';
import { useName } from '@/ui/texts';

export function useCatalogue() {
  return useQuery({
    queryKey: ['catalogue'],
    queryFn: async () => {
      await usePlanStore.getState().loadPlans();
      return usePlanStore.getState().planList as Schemas['Catalogue'];
    },
    staleTime: 60_000,
  });
}

/** A tier's label and description in the reader's language. */
export function useTierTexts() {
  const name = useName();
  return (tier: Schemas['Tier']) => ({
    label: name({ en: tier.LabelEn, zh: tier.LabelZh }),
    desc: name({ en: tier.DescEn, zh: tier.DescZh }),
  });
}
