// The account's products by plan, with the next expiry.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAutoRenew } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { AutoRenewal, PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useOwnProducts } from '@/stores/ips';
import { useCatalogue } from '@/stores/plan';
import { usePlanInfo } from '@/stores/planInfo';
import { useResellerDiscount } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { isToCome, ProductBadges } from '@/ui/ProductBadges';
import { EmptyState, ErrorState } from '@/ui/State';
import { DateText, MoneyText, PriceText, UntilText, useName, useNumber } from '@/ui/texts';
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
      {hasFailed && (
        <ErrorState
          error={all.find((one) => one.error)?.error}
          onRetry={() => all.map((one) => one.isError && one.refetch())}
        />
      )}
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
                <span className={s.badges}>
                  <ProductBadges summary={plan} />
                </span>
              }
            >
              <dl className={s.facts}>
                <dt>{t('products.ips')}</dt>
                <dd className={s.fact}>
                  <span>{number(plan.IpsCount)}</span>
                  {plan.ActiveCount > 0 && plan.GraceCount > 0 && (
                    <small>
                      {t('products.counts', { Active: number(plan.ActiveCount), Expired: number(plan.GraceCount) })}
                    </small>
                  )}
                </dd>
                <dt>{t('products.nextExpiry')}</dt>
                <dd>
                  <UntilText value={isToCome(plan.NextExpiresAt) ? plan.NextExpiresAt : null} />
                </dd>
                {plan.GraceEndsAt && (
                  <>
                    <dt>{t('products.graceEnds')}</dt>
                    <dd className={s.fact}>
                      <DateText value={plan.GraceEndsAt} />
                    </dd>
                  </>
                )}
                <dt>{t('products.autoRenew')}</dt>
                <dd className={s.fact}>
                  <AutoRenewPlan plan={plan} />
                </dd>
                <dt>{t('products.nextCharge')}</dt>
                <dd>
                  {plan.NextCharge ? <NextCharge charge={plan.NextCharge} /> : <span>{t('products.noCharge')}</span>}
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
                {isOwned ? (
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
    <span className={s.fact}>
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

/** Turns automatic renewal of a whole plan on or off: its IPs, and those bought next. */
function AutoRenewPlan({ plan }: { plan: Plan }) {
  const { t } = useTranslation('billing');
  const call = useCall(setAutoRenew);
  // The optimistic value, shown until the server has answered.
  const [optimistic, setOptimistic] = useState<boolean>();
  const set = async (AutoRenew: boolean) => {
    setOptimistic(AutoRenew);
    await call.run({ VerStr: plan.VerStr, AutoRenew });
    setOptimistic(undefined);
  };
  const isOn = optimistic ?? plan.AutoRenewal === AutoRenewal.On;
  if (optimistic === undefined && plan.AutoRenewal === AutoRenewal.Partly) {
    return (
      <>
        <span>{t('products.autoRenewPartly')}</span>
        <span className={s.choices}>
          <Button size="small" loading={call.isBusy} onClick={() => set(true)}>
            {t('products.allOn')}
          </Button>
          <Button size="small" loading={call.isBusy} onClick={() => set(false)}>
            {t('products.allOff')}
          </Button>
        </span>
      </>
    );
  }
  return (
    <>
      <Toggle label={t('products.autoRenew')} hideLabel checked={isOn} busy={call.isBusy} onChange={set} />
      {optimistic === undefined && isOn !== plan.AutoRenew && (
        <small>{t(plan.AutoRenew ? 'products.nextOnesRenew' : 'products.nextOnesDoNot')}</small>
      )}
    </>
  );
}
