// A screen that is still loading: its head, and room for its content.
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { BreadcrumbsContext } from '@/ui/Breadcrumbs';
import { LoadingState, ScreenLoading } from '@/ui/Loading';
import { Page } from '@/ui/Page';
import { type ScreenHead, screenHeadOf } from './screenHeads';
import { useBreadcrumbs } from './useBreadcrumbs';

export function LoadingScreen() {
  const { pathname, search } = useLocation();
  const breadcrumbs = useBreadcrumbs();
  const head = screenHeadOf(pathname, search);
  if (!head) return <ScreenLoading />;
  return (
    <BreadcrumbsContext.Provider value={breadcrumbs}>
      <WithHead {...head} />
    </BreadcrumbsContext.Provider>
  );
}

function WithHead({ title, lead, wide }: ScreenHead) {
  const [namespace] = title.split(':');
  const { t } = useTranslation(namespace as 'common');
  // Keys of any namespace.
  const text = t as (key: string) => string;
  return (
    <Page wide={wide} title={text(title)} description={text(lead)}>
      <LoadingState />
    </Page>
  );
}
