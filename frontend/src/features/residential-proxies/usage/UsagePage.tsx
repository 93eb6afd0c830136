// The view of usage, beside the proxy users.
import { useTranslation } from 'react-i18next';
import { Page } from '@/ui/Page';
import { ViewTabs } from '../ViewTabs';
import { UsagePanel } from './UsagePanel';

export function UsagePage() {
  const { t } = useTranslation('usage');
  return (
    <Page title={t('title')}>
      <ViewTabs />
      <UsagePanel />
    </Page>
  );
}
