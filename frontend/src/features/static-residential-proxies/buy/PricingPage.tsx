// The tiers on sale, their prices and discounts.
import { useTranslation } from 'react-i18next';
import { core } from '@/core';
import { DEDICATED_NODE_TYPE, PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useCatalogue } from '@/stores/plan';
import { useResellerDiscount } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { PriceText } from '@/ui/texts';
import { useTierTexts } from '../tierTexts';
import local from './buy.module.css';
import { Calculator } from './Calculator';
import { Comparison } from './Comparison';
import { DraftOrderNotice } from './DraftOrderNotice';
import { NothingOnSale } from './NothingOnSale';
import { soldTiers } from './soldTiers';

export function PricingPage() {
  const { t } = useTranslation('static_residential_proxies');
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const shop = catalogue.data && { ...catalogue.data, Tiers: soldTiers(catalogue.data) };
  const discount = useResellerDiscount();
  return (
    <Page title={t('pricing.title')} description={t('pricing.lead')}>
      {catalogue.isError && <ErrorState error={catalogue.error} onRetry={() => catalogue.refetch()} />}
      {catalogue.isPending && <LoadingState rows={8} />}
      {shop?.Tiers.length === 0 && <NothingOnSale />}
      {shop && shop.Tiers.length > 0 && (
        <>
          <DraftOrderNotice catalogue={shop} />
          {discount > 0 && <Notice>{t('pricing.reseller', { Percent: core().displayPercent(discount) })}</Notice>}
          <div className={local.tiers}>
            {shop.Tiers.map((tier) => {
              const { label, desc } = texts(tier);
              return (
                <Card key={tier.VerStr}>
                  <div className={local.tier}>
                    <h2>{label}</h2>
                    <p className={local.price}>
                      <strong>
                        <PriceText listPrice={tier.Price} currency={shop.Currency} basisPoints={discount} />
                      </strong>{' '}
                      {t('pricing.unit', { Days: PRICE_PERIOD_DAYS })}
                    </p>
                    <p className={local.desc}>{desc}</p>
                    <p className={local.kind}>
                      {tier.NodeType === DEDICATED_NODE_TYPE ? t('pricing.dedicated') : t('pricing.shared')}
                    </p>
                    <ButtonLink
                      to={`/static-residential-proxies/order?plan=${encodeURIComponent(tier.VerStr)}`}
                      variant="primary"
                      wide
                    >
                      {t('pricing.order', { Tier: label })}
                    </ButtonLink>
                  </div>
                </Card>
              );
            })}
          </div>
          <Comparison catalogue={shop} />
          <Calculator catalogue={shop} />
        </>
      )}
    </Page>
  );
}
