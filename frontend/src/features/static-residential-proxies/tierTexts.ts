// Tiers in the reader's language.
import { useMemo } from 'react';
import type { Schemas } from '@/api/client';
import { useCatalogue } from '@/stores/plan';
import { useName } from '@/ui/texts';

/** A tier's label and description in the reader's language. */
export function useTierTexts() {
  const name = useName();
  return (tier: Schemas['Tier']) => ({
    label: name({ en: tier.LabelEn, zh: tier.LabelZh }),
    desc: name({ en: tier.DescEn, zh: tier.DescZh }),
  });
}

/** A tier by its label; its name on the wire where the catalogue does not have it any more. */
export function useTierName(): (verStr: string) => string {
  const name = useName();
  const tiers = useCatalogue().data?.Tiers;
  return useMemo(() => {
    const labels = new Map(tiers?.map((tier) => [tier.VerStr, name({ en: tier.LabelEn, zh: tier.LabelZh })]));
    return (verStr) => labels.get(verStr) ?? verStr;
  }, [tiers, name]);
}
