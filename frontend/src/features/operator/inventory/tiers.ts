// Tiers of static proxies, named in the operator's language.
import { useMemo } from 'react';
import { useCatalogue } from '@/stores/plan';
import { useName } from '@/ui/texts';

/** The tiers of the catalogue, and the name of any tier: its wire name if it is no longer there. */
export function useTiers() {
  const name = useName();
  const tiers = useCatalogue().data?.Tiers;
  return useMemo(() => {
    const named = (tiers ?? []).map(({ VerStr, LabelEn, LabelZh }) => ({
      VerStr,
      label: name({ en: LabelEn, zh: LabelZh }),
    }));
    const labels = new Map(named.map(({ VerStr, label }) => [VerStr, label]));
    return { tiers: named, tierName: (verStr: string) => labels.get(verStr) ?? verStr };
  }, [tiers, name]);
}
