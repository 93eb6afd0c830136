// Limits on the connections of a proxy user or a static IP, as texts: those that are set.
import { useTranslation } from 'react-i18next';

export interface LimitsOfConnections {
  MaxConnections?: number | null | undefined;
  MaxMegabits?: number | null | undefined;
}

export function useLimitTexts() {
  const { t } = useTranslation('common');
  return ({ MaxConnections, MaxMegabits }: LimitsOfConnections): string[] => [
    ...(MaxConnections ? [t('limits.connections', { count: MaxConnections })] : []),
    ...(MaxMegabits ? [t('limits.megabits', { Megabits: MaxMegabits })] : []),
  ];
}
