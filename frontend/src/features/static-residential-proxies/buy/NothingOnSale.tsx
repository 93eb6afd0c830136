// Shown instead of prices and the order form while the shop sells no tier.
import { useTranslation } from 'react-i18next';
import { useSupportStore } from '@/stores/support';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';

export function NothingOnSale() {
  const { t } = useTranslation(['static_residential_proxies', 'nav']);
  return (
    <Card>
      <EmptyState
        title={t('pricing.none')}
        action={<Button onClick={() => useSupportStore.getState().openChat()}>{t('nav:contact-support')}</Button>}
      >
        {t('pricing.noneHint')}
      </EmptyState>
    </Card>
  );
}
