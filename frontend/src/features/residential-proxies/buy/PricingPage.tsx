// Prices of traffic: the price steps of each validity, and the calculator.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { trafficCatalogueQuery } from '@/api/traffic';
import { core } from '@/core';
import { useResellerDiscount } from '@/stores/user';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { ContactSupport } from '../ContactSupport';
import local from './buy.module.css';
import { Calculator } from './Calculator';
import { PriceTable } from './PriceTable';

export function PricingPage() {
  const { t } = useTranslation('residential_buy');
  const prices = useQuery(trafficCatalogueQuery);
  const discount = useResellerDiscount();
  const shop = prices.data;
  return (
    <Page title={t('pricing.title')} description={t('pricing.lead')}>
      {!shop && (
        <Card>
          {prices.isError ? (
            <ErrorState error={prices.error} onRetry={() => prices.refetch()} />
          ) : (
            <LoadingState rows={10} />
          )}
        </Card>
      )}
      {shop?.Offers.length === 0 && (
        <Card>
          <EmptyState title={t('pricing.none')} action={<ContactSupport />}>
            {t('pricing.noneHint')}
          </EmptyState>
        </Card>
      )}
      {shop && shop.Offers.length > 0 && (
        <>
          {discount > 0 && <Notice>{t('pricing.reseller', { Percent: core().displayPercent(discount) })}</Notice>}
          <div className={local.tables}>
            {shop.Offers.map((offer) => (
              <PriceTable key={offer.PeriodDays} offer={offer} currency={shop.Currency} discount={discount} />
            ))}
          </div>
          <Calculator prices={shop} />
        </>
      )}
    </Page>
  );
}
