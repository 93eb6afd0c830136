// The welcome screen: products, what expires soon, unpaid orders and quick actions.
import { Broadcast, CreditCard, FolderSimple, ListChecks, Plugs } from '@phosphor-icons/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOrderStore } from '@/stores/order';
import { refreshWallet } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { Endings } from './Endings';
import { Figures } from './Figures';
import { FirstSteps } from './FirstSteps';
import { OwnedProducts } from './OwnedProducts';
import { UnpaidOrders } from './UnpaidOrders';
import { useOverview } from './useOverview';
import s from './welcome.module.css';

const QUICK = [
  { key: 'endpoints', to: '/residential-proxies/endpoint-generator', Icon: Broadcast },
  { key: 'list', to: '/static-residential-proxies/proxy-list', Icon: ListChecks },
  { key: 'groups', to: '/static-residential-proxies/group-list', Icon: FolderSimple },
  { key: 'setup', to: '/static-residential-proxies/proxy-setup', Icon: Plugs },
  { key: 'topUp', to: '/billing/wallet', Icon: CreditCard },
] as const;

export function ProductsPage() {
  const { t } = useTranslation('welcome');
  const overview = useOverview();
  // Unpaid orders are shown above the products: both appear at once, so that nothing moves.
  const hasAsked = useOrderStore((state) => state.hasAsked);
  const data = hasAsked ? overview.data : undefined;
  const isLoading = !data && !overview.isError;
  useEffect(() => {
    refreshWallet();
  }, []);
  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          <ButtonLink to="/residential-proxies/order">{t('products.buyTraffic')}</ButtonLink>
          <ButtonLink to="/static-residential-proxies/order" variant="primary">
            {t('products.buyStatic')}
          </ButtonLink>
        </>
      }
    >
      <div className={s.screen}>
        <Figures overview={overview.data} isFailed={overview.isError} />
        {data && <FirstSteps steps={data.Steps} />}
        {!isLoading && <UnpaidOrders />}
        {overview.isError && !data && (
          <Card>
            <ErrorState error={overview.error} onRetry={() => overview.refetch()} />
          </Card>
        )}
        {isLoading && (
          <div className={s.columns}>
            <Card>
              <LoadingState rows={6} />
            </Card>
            <Card>
              <LoadingState rows={6} />
            </Card>
          </div>
        )}
        {data && (
          <div className={s.columns}>
            <OwnedProducts overview={data} />
            <Endings overview={data} />
          </div>
        )}
        {!isLoading && <QuickActions />}
      </div>
    </Page>
  );
}

function QuickActions() {
  const { t } = useTranslation('welcome');
  return (
    <nav className={s.quick} aria-label={t('quick.title')}>
      {QUICK.map(({ key, to, Icon }) => (
        <Link key={key} to={to}>
          <Icon size={22} aria-hidden="true" />
          <span>
            <strong>{t(`quick.${key}`)}</strong>
            <small>{t(`quick.${key}Hint`)}</small>
          </span>
        </Link>
      ))}
    </nav>
  );
}
