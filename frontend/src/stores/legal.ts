// The seller's current terms and privacy policy, which the public settings of the shop name, and where they are read.
import { LegalKind } from '@/core/constants.gen';
import { useConfigStore } from './config';

/** The addresses of the public pages. */
export const LEGAL_PATHS: Record<LegalKind, string> = { terms: '/terms', privacy: '/privacy' };

const NONE: never[] = [];

/** The current versions; none until the settings have come. */
export const useLegalTexts = () => useConfigStore((state) => state.shop?.LegalTexts) ?? NONE;

/** The kinds of which the shop has a text of its own, terms first. */
export function useLegalKinds(): LegalKind[] {
  const texts = useLegalTexts();
  return Object.values(LegalKind).filter((kind) => texts.some(({ Kind }) => Kind === kind));
}
