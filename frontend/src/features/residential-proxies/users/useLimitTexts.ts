// Limits on a proxy user's connections, as texts: those that are set.
import { useTranslation } from 'react-i18next';
import type { ProxyUserView } from '@/api/proxyUsers';

export function useLimitTexts() {
  const { t } = useTranslation('proxy_users');
  return ({ MaxConnections, MaxMegabits }: Pick<ProxyUserView, 'MaxConnections' | 'MaxMegabits'>): string[] => [
    ...(MaxConnections ? [t('list.connections', { count: MaxConnections })] : []),
    ...(MaxMegabits ? [t('list.megabits', { Megabits: MaxMegabits })] : []),
  ];
}
