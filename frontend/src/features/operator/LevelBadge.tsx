// An account's level, in words and colour.
import { useTranslation } from 'react-i18next';
import { CUSTOMER, OPERATOR, RESELLER } from '@/core/constants.gen';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';

/** The levels by their numbers, and what each is called among the texts. */
export const LEVELS = { [CUSTOMER]: 'customer', [RESELLER]: 'reseller', [OPERATOR]: 'operator' } as const;

const TONES: Record<number, Tone> = { [RESELLER]: 'accent', [OPERATOR]: 'warn' };

export function useLevelText() {
  const { t } = useTranslation('accounts');
  return (level: number) => t(`level.${LEVELS[level as typeof CUSTOMER]}`);
}

export function LevelBadge({ level }: { level: number }) {
  const levelText = useLevelText();
  return <Badge tone={TONES[level] ?? 'neutral'}>{levelText(level)}</Badge>;
}
