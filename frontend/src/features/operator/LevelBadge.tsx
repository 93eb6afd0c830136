// Badge of an account's level.
import { useTranslation } from 'react-i18next';
import { CUSTOMER, OPERATOR, RESELLER } from '@/core/constants.gen';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';

/** Text keys of the levels, by number. */
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
