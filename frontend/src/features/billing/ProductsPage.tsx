// What the account owns, by plan, with its next expiry.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { useIpsStore } from '@/stores/ips';
import { usePlanStore } from '@/stores/plan';
import { useResellerDiscount, useSessionStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, MoneyText, PriceText, UntilText, useName } from '@/ui/texts';
import { useOnce } from '@/ui/useOnce';
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
                    <dt>{t('products.price')}</dt>
                    <dd>
                      <PriceText listPrice={tier.Price} currency={catalogue.Currency} basisPoints={discount} />
                    </dd>
                  </>
                )}
              </dl>
              <div className={s.more}>
                <ButtonLink to={proxiesOf(plan)}>{t('products.show')}</ButtonLink>
                {plan.IpsCount > 0 && (
                  <ButtonLink to={`${proxiesOf(plan)}&Renew=All`} variant="primary">
                    {t('products.renew')}
                  </ButtonLink>
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

/** What the wallet is charged next, when, and for how many IPs. */
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

/** All of a plan renews itself, or nothing of it. */
function AutoRenewPlan({ plan }: { plan: Plan }) {
  const { t } = useTranslation('billing');
  const queryClient = useQueryClient();
  const once = useOnce();
  // What was just chosen is shown until the server has said what it is now.
  const [wished, setWished] = useState<boolean>();
  const set = async (AutoRenew: boolean) => {
    setWished(AutoRenew);
    const body = { VerStr: plan.VerStr, AutoRenew };
    try {
      await once.send(body, (options) => post('Ips/SetAutoRenew', body, options));
    } catch {
      // The toast has said why; the plan is shown as it is now.
    }
    await Promise.all(['plans', 'proxy-list'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
    setWished(undefined);
  };
  return (
    <Toggle
      label={t('products.autoRenew')}
      hideLabel
      checked={wished ?? plan.AutoRenew}
      busy={once.isBusy}
      onChange={set}
    />
  );
}
