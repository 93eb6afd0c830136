// Tier names in the user's language.
import { useMemo } from 'react';
import type { Schemas } from '@/api/client';
import { useCatalogue } from '@/stores/plan';
import { useName } from '@/ui/texts';
import { useLimitTexts } from '@/ui/useLimitTexts';

/** A tier's label and description in the user's language. */
export function useTierTexts() {
  const name = useName();
  return (tier: Schemas['Tier']) => ({
    label: name({ en: tier.LabelEn, zh: tier.LabelZh }),
    desc: name({ en: tier.DescEn, zh: tier.DescZh }),
  });
}

/** What one IP of a tier may carry, in one line; empty without limits, and of tiers no longer in the catalogue. */
export function useTierLimits(): (verStr: string) => string {
  const limitTexts = useLimitTexts();
  const tiers = useCatalogue().data?.Tiers;
  return (verStr) => {
    const tier = tiers?.find((one) => one.VerStr === verStr);
    return tier ? limitTexts(tier).join(' · ') : '';
  };
}

/** A tier's label; its wire name if it is no longer in the catalogue. */
export function useTierName(): (verStr: string) => string {
  const name = useName();
  const tiers = useCatalogue().data?.Tiers;
  return useMemo(() => {
    const labels = new Map(tiers?.map((tier) => [tier.VerStr, name({ en: tier.LabelEn, zh: tier.LabelZh })]));
    return (verStr) => labels.get(verStr) ?? verStr;
  }, [tiers, name]);
}
