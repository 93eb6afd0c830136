// Proxies at a glance: by state, tier and country, upcoming expiries, and recent traffic.
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { Countries } from './Countries';
import { Endings } from './Endings';
import { States } from './States';
import { TrafficUsed } from './TrafficUsed';
import { useOverview } from './useOverview';
import s from './welcome.module.css';

export function ProxiesPage() {
  const { t } = useTranslation('welcome');
  const overview = useOverview();
  const data = overview.data;
  const owned = data && data.ActiveCount + data.GraceCount;
  return (
    <Page
      wide
      title={t('proxies.title')}
      description={t('proxies.lead')}
      actions={<ButtonLink to="/static-residential-proxies/proxy-list">{t('proxies.list')}</ButtonLink>}
    >
      <div className={s.screen}>
        {!data && (
          <Card>
            {overview.isError ? (
              <ErrorState error={overview.error} onRetry={() => overview.refetch()} />
            ) : (
              <LoadingState rows={6} />
            )}
          </Card>
        )}
        {owned === 0 && (
          <Card>
            <EmptyState
              title={t('proxies.none')}
              action={
                <ButtonLink to="/static-residential-proxies/order" variant="primary">
                  {t('products.buyStatic')}
                </ButtonLink>
              }
            >
              {t('proxies.noneHint')}
            </EmptyState>
          </Card>
        )}
        {data && owned !== 0 && (
          <>
            <div className={s.columns}>
              <States overview={data} />
              <Countries countries={data.Countries} />
            </div>
            <Endings overview={data} />
          </>
        )}
        {/* Not before what is above it, which would move it. */}
        {(data || overview.isError) && <TrafficUsed />}
      </div>
    </Page>
  );
}
