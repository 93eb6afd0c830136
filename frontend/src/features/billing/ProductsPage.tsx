// The account's products by plan, with the next expiry.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useOwnProducts } from '@/stores/ips';
import { useCatalogue } from '@/stores/plan';
import { usePlanInfo } from '@/stores/planInfo';
import { useResellerDiscount } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, MoneyText, PriceText, UntilText, useName, useNumber } from '@/ui/texts';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './billing.module.css';
import { TrafficProduct } from './TrafficProduct';

export function ProductsPage() {
  const { t } = useTranslation(['billing', 'common']);
  const number = useNumber();
  const name = useName();
  const discount = useResellerDiscount();
  const asked = { shop: useCatalogue(), plans: usePlanInfo() };
  const catalogue = asked.shop.data;
  const own = useOwnProducts(catalogue);
  const all = [asked.shop, asked.plans, own];
  const hasFailed = all.some((one) => one.isError && !one.data);
  const plans = catalogue && own.data && asked.plans.data;
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
      {hasFailed && <ErrorState onRetry={() => all.map((one) => one.isError && one.refetch())} />}
      {!plans && !hasFailed && <LoadingState rows={6} />}
      {plans?.length === 0 && (
        <Card>
          <EmptyState title={t('products.empty')}>{t('products.emptyHint')}</EmptyState>
        </Card>
      )}
      <div className={s.products}>
        <TrafficProduct />
        {plans?.map((plan) => {
          const tier = catalogue?.Tiers.find((one) => one.VerStr === plan.VerStr);
          const isOwned = own.data?.some((one) => one.VerStr === plan.VerStr && one.NodeType === plan.NodeType);
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
                <dd>{number(plan.IpsCount)}</dd>
                <dt>{t('products.nextExpiry')}</dt>
                <dd>
                  <UntilText value={plan.NextExpiresAt ?? null} />
                </dd>
                <dt>{t('products.nextCharge')}</dt>
                <dd>
                  {plan.NextCharge ? <NextCharge charge={plan.NextCharge} /> : <span>{t('products.noCharge')}</span>}
                </dd>
                <dt>{t('products.autoRenew')}</dt>
                <dd>
                  <AutoRenewPlan plan={plan} />
                </dd>
                {tier && catalogue && (
                  <>
                    <dt>{t('products.price', { Days: PRICE_PERIOD_DAYS })}</dt>
                    <dd>
                      <PriceText listPrice={tier.Price} currency={catalogue.Currency} basisPoints={discount} />
                    </dd>
                  </>
                )}
              </dl>
              <div className={s.more}>
                {plan.IpsCount > 0 ? (
                  <>
                    <ButtonLink to={proxiesOf(plan)}>{t('products.show')}</ButtonLink>
                    <ButtonLink to={`${proxiesOf(plan)}&Renew=All`} variant="primary">
                      {t('products.renew')}
                    </ButtonLink>
                  </>
                ) : (
                  <ButtonLink to={orderOf(plan)}>{t('common:buyProxies')}</ButtonLink>
                )}
              </div>
            </Card>
          );
        })}
      </div>
    </Page>
  );
}

type Plan = Schemas['Plan'];

const proxiesOf = (plan: Plan) =>
  `/static-residential-proxies/proxy-list?${new URLSearchParams({ VerStr: plan.VerStr })}`;

const orderOf = (plan: Plan) => `/static-residential-proxies/order?${new URLSearchParams({ plan: plan.VerStr })}`;

/** The next automatic charge: amount, time and number of IPs. */
function NextCharge({ charge }: { charge: Schemas['NextCharge'] }) {
  const { t } = useTranslation('billing');
  return (
    <span className={s.nextCharge}>
      <span>
        <MoneyText amount={charge.Amount} currency={charge.Currency} />{' '}
        {t('products.nextChargeOf', { count: charge.IpsCount })}
      </span>
      <small>
        <DateText value={charge.At} />
      </small>
    </span>
  );
}

/** Turns automatic renewal of a whole plan on or off. */
function AutoRenewPlan({ plan }: { plan: Plan }) {
  const { t } = useTranslation('billing');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  // The optimistic value, shown until the server has answered.
  const [optimistic, setOptimistic] = useState<boolean>();
  const set = async (AutoRenew: boolean) => {
    setOptimistic(AutoRenew);
    const body = { VerStr: plan.VerStr, AutoRenew };
    try {
      await once.send(body, (options) => post('Ips/SetAutoRenew', body, options));
    } catch {
      // The API client has shown the error toast; the plan is refetched.
    }
    await Promise.all(['plans', 'proxy-list'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
    setOptimistic(undefined);
  };
  return (
    <Toggle
      label={t('products.autoRenew')}
      hideLabel
      checked={optimistic ?? plan.AutoRenew}
      busy={once.isBusy}
      onChange={set}
    />
  );
}
