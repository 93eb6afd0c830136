// The tiers that can be ordered. What customers have of the others is renewed and switched, so the catalogue has them all.
import type { Schemas } from '@/api/client';

export const soldTiers = ({ Tiers }: Schemas['Catalogue']) => Tiers.filter(({ IsSold }) => IsSold);
