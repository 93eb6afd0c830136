// What the account owns, by plan, with its next expiry.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { useIpsStore } from '@/stores/ips';
import { usePlanStore } from '@/stores/plan';
import { useResellerDiscount, useSessionStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, PriceText, useName } from '@/ui/texts';
import s from './billing.module.css';

export function ProductsPage() {
  const { t } = useTranslation(['billing', 'common']);
  const name = useName();
  const discount = useResellerDiscount();
  const catalogue = usePlanStore((state) => state.planList);
  const owned = useIpsStore((state) => state.ownIpsProducts);
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: async () => {
      await usePlanStore.getState().loadPlans();
      const shop = usePlanStore.getState().planList;
      if (shop) await useIpsStore.getState().loadOwnProducts(shop);
      return post('Ips/GetUserVerPlan');
    },
  });
  useEffect(() => {
    if (plans.data) useSessionStore.setState({ planInfo: plans.data });
  }, [plans.data]);
  return (
    <Page
      title={t('products.title')}
      description={t('products.lead')}
      actions={
        <ButtonLink to="/static-residential-proxies/order" variant="primary">
          {t('common:buyProxies')}
        </ButtonLink>
      }
    >
      {plans.isError && !plans.data && <ErrorState onRetry={() => plans.refetch()} />}
      {plans.isPending && <LoadingState rows={6} />}
      {plans.data?.length === 0 && (
        <Card>
          <EmptyState title={t('products.empty')}>{t('products.emptyHint')}</EmptyState>
        </Card>
      )}
      <div className={s.products}>
        {plans.data?.map((plan) => {
          const tier = catalogue?.Tiers.find((one) => one.VerStr === plan.VerStr);
          const isOwned = owned.some((one) => one.VerStr === plan.VerStr && one.NodeType === plan.NodeType);
          return (
            <Card
              key={plan.PlanId}
              title={tier ? name({ en: tier.LabelEn, zh: tier.LabelZh }) : plan.VerStr}
              aside={
                <Badge tone={isOwned ? 'good' : 'neutral'}>{isOwned ? t('products.active') : t('products.none')}</Badge>
              }
            >
              <dl className={s.facts}>
                <dt>{t('products.ips')}</dt>
                <dd>{plan.IpsCount}</dd>
                <dt>{t('products.nextExpiry')}</dt>
                <dd>
                  <DateText value={plan.NextExpiresAt ?? null} />
                </dd>
                <dt>{t('products.autoRenew')}</dt>
                <dd>{plan.AutoRenew ? t('products.on') : t('products.off')}</dd>
                {tier && catalogue && (
                  <>
                    <dt>{t('products.price')}</dt>
                    <dd>
                      <PriceText listPrice={tier.Price} currency={catalogue.Currency} basisPoints={discount} />
                    </dd>
                  </>
                )}
              </dl>
              <div className={s.more}>
                <ButtonLink to="/static-residential-proxies/proxy-list">{t('products.show')}</ButtonLink>
              </div>
            </Card>
          );
        })}
      </div>
    </Page>
  );
}
