// Labels of the buttons beside a hidden password.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecretLabels } from '@/ui/Secret';

export function useSecretLabels(): SecretLabels {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  return useMemo(
    () => ({ show: t('common:showPassword'), hide: t('common:hidePassword'), copy: t('list.copyPassword') }),
    [t],
  );
}
