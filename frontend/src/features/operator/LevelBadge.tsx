// Badge of an account's level; of staff, the role.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { CUSTOMER, OPERATOR, RESELLER } from '@/core/constants.gen';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';

type Role = Schemas['Account']['Role'];

/** Text keys of the levels, by number. */
export const LEVELS = { [CUSTOMER]: 'customer', [RESELLER]: 'reseller', [OPERATOR]: 'staff' } as const;

const TONES: Record<number, Tone> = { [RESELLER]: 'accent', [OPERATOR]: 'warn' };

export function useLevelText() {
  const { t } = useTranslation('accounts');
  return (level: number, role?: Role) => t(`level.${(level === OPERATOR && role) || LEVELS[level as typeof CUSTOMER]}`);
}

export function LevelBadge({ of: { Level, Role } }: { of: Pick<Schemas['Account'], 'Level' | 'Role'> }) {
  const levelText = useLevelText();
  return <Badge tone={TONES[Level] ?? 'neutral'}>{levelText(Level, Role)}</Badge>;
}
