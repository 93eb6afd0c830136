// Badge of an account's state.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Badge } from '@/ui/State';

export function StateBadge({ state }: { state: Schemas['AccountState'] }) {
  const { t } = useTranslation('accounts');
  return <Badge tone={state === 'active' ? 'good' : 'bad'}>{t(`states.${state}`)}</Badge>;
}
