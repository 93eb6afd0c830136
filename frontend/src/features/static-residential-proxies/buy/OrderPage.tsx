// Orders static residential proxies: tier, locations and period on the left, the live quote on the right.
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { targetsQuery } from '@/api/staticProxies';
import { core } from '@/core';
import { type BuyParams, useIpsStore } from '@/stores/ips';
import { useCatalogue } from '@/stores/plan';
import { SegmentedControl } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { useRuleText } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { PAGE_KEY } from '@/ui/listAddress';
import { CouponField } from '@/ui/order/CouponField';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { useName } from '@/ui/texts';
import s from '../static.module.css';
import local from './buy.module.css';
import { ExactPicker } from './ExactPicker';
import { NodeChoices } from './NodeChoices';
import { NothingOnSale } from './NothingOnSale';
import { PlacesPicker } from './PlacesPicker';
import { QuotePanel } from './QuotePanel';
import { soldTiers } from './soldTiers';
import { TierChoice } from './TierChoice';
import { usePlaceOrder } from './usePlaceOrder';
import { useQuote } from './useQuote';

export function OrderPage() {
  const { t } = useTranslation('static_residential_proxies');
  const catalogue = useCatalogue();
  // Together with the prices: whether the form has a choice of use case is known when it is shown.
  usePrefetchQuery(targetsQuery);
  return (
    <Page title={t('order.title')} description={t('order.lead')}>
      {catalogue.isError && <ErrorState error={catalogue.error} onRetry={() => catalogue.refetch()} />}
      {catalogue.isPending && <LoadingState rows={10} />}
      {catalogue.data &&
        (soldTiers(catalogue.data).length > 0 ? <OrderForm catalogue={catalogue.data} /> : <NothingOnSale />)}
    </Page>
  );
}

interface OrderFormProps {
  catalogue: Schemas['Catalogue'];
  params: BuyParams;
}

/** Controls update at once; prices and the rest of the form follow in a transition. */
function OrderForm({ catalogue }: { catalogue: Schemas['Catalogue'] }) {
  const now = useIpsStore((state) => state.buyParams);
  const quantities = useDeferredValue(now.quantities);
  const periodDays = useDeferredValue(now.periodDays);
  const { verStr, target, wanted, isExact, nodes, coupon, groupId, autoRenew } = now;
  const params = useMemo(
    () => ({ verStr, periodDays, target, quantities, wanted, isExact, nodes, coupon, groupId, autoRenew }),
    [verStr, periodDays, target, quantities, wanted, isExact, nodes, coupon, groupId, autoRenew],
  );
  return <DrawnForm catalogue={catalogue} params={params} />;
}

const DrawnForm = memo(function DrawnForm({ catalogue, params: buyParams }: OrderFormProps) {
  const { t } = useTranslation(['static_residential_proxies', 'orders']);
  const name = useName();
  const [parameters, setParameters] = useSearchParams();
  const { setBuyParams, changeQuantities, setBuyInfo } = useIpsStore.getState();
  const requestedPlan = parameters.get('plan');
  const sold = soldTiers(catalogue);
  const completed = (draft: BuyParams) => ({
    ...draft,
    verStr: draft.verStr || (sold.find(({ VerStr }) => VerStr === requestedPlan) ?? sold[0])?.VerStr || '',
    periodDays: draft.periodDays || catalogue.Periods[0]?.PeriodDays || 0,
  });
  const params = completed(buyParams);
  const { quote, couponErrors, errors: quoteErrors } = useQuote(params, catalogue);
  // A draft order keeps its tier, for example that of an order to place again.
  const brokenTier = quoteErrors.VerStr?.[0];
  const ruleText = useRuleText(brokenTier !== undefined);
  const { placeOrder, busy, errors, priceChange, shortCity, clearShortCity } = usePlaceOrder(
    () => completed(useIpsStore.getState().buyParams),
    catalogue,
  );

  const targets = useQuery(targetsQuery);

  // The tier in the address is applied once. IPs that were picked are of the tier before.
  useEffect(() => {
    if (!requestedPlan || !soldTiers(catalogue).some((tier) => tier.VerStr === requestedPlan)) return;
    const isOther = useIpsStore.getState().buyParams.verStr !== requestedPlan;
    setBuyParams({ verStr: requestedPlan, ...(isOther && { nodes: [] }) });
  }, [requestedPlan, catalogue, setBuyParams]);
  // Once it has a price, the draft keeps its tier: later, another one may be the first on sale.
  useEffect(() => {
    if (quote && !useIpsStore.getState().buyParams.verStr) setBuyParams({ verStr: params.verStr });
  }, [quote, params.verStr, setBuyParams]);
  useEffect(() => {
    const tier = catalogue.Tiers.find((one) => one.VerStr === params.verStr);
    setBuyInfo(
      quote && tier
        ? { name: tier.VerStr, ipsCount: quote.Quantity, unitPrice: quote.UnitPrice, price: quote.Total }
        : null,
    );
  }, [quote, params.verStr, catalogue, setBuyInfo]);

  /** Keeps the cities but not the picked IPs. The list of IPs starts at its first page. */
  const chooseTier = (verStr: string) => {
    errors.clear('VerStr');
    setBuyParams({ verStr, nodes: [] });
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.set('plan', verStr);
        next.delete(PAGE_KEY);
        return next;
      },
      { replace: true },
    );
  };

  // A draft may be older than the shop's use cases.
  const isTargetGone = params.target !== '' && targets.data?.every(({ Target }) => Target !== params.target) === true;
  useEffect(() => {
    if (isTargetGone) setBuyParams({ target: '' });
  }, [isTargetGone, setBuyParams]);
  const targetField = targets.data && targets.data.length > 0 && (
    <SelectField
      label={t('order.target')}
      hideLabel
      value={params.target}
      onChange={(event) => setBuyParams({ target: event.target.value })}
    >
      <option value="">{t('order.anyTarget')}</option>
      {targets.data?.map((target) => (
        <option key={target.Target} value={target.Target}>
          {name({ en: target.NameEn, zh: target.NameZh })}
        </option>
      ))}
    </SelectField>
  );

  const removeCity = (city: string) => {
    clearShortCity();
    if (params.isExact) setBuyParams({ nodes: params.nodes.filter((node) => node.City !== city) });
    else changeQuantities(({ [city]: _, ...others }) => others);
  };

  return (
    <div className={local.order}>
      <div className={s.choices}>
        <TierChoice
          catalogue={catalogue}
          verStr={params.verStr}
          error={errors.textOf('VerStr') ?? (brokenTier && ruleText(brokenTier))}
          onChange={chooseTier}
        />
        <SegmentedControl
          label={t('order.howToChoose')}
          value={params.isExact ? 'exact' : 'city'}
          onChange={(how) => setBuyParams({ isExact: how === 'exact' })}
          segments={[
            { value: 'city', label: t('order.byCity') },
            { value: 'exact', label: t('order.exact') },
          ]}
        />
        {params.isExact ? (
          <ExactPicker catalogue={catalogue} params={params} onChange={setBuyParams}>
            {targetField}
          </ExactPicker>
        ) : (
          <Card title={t('order.places')}>
            <PlacesPicker
              verStr={params.verStr}
              target={params.target}
              quantities={params.quantities}
              wanted={params.wanted}
              shortCity={shortCity}
              onChange={(change) => {
                clearShortCity();
                if (errors.has) errors.set({});
                changeQuantities(change);
              }}
            >
              {targetField}
            </PlacesPicker>
          </Card>
        )}
      </div>
      <QuotePanel
        currency={catalogue.Currency}
        quote={quote}
        error={errors.textOf('Lines') ?? errors.textOf('PeriodDays')}
        change={
          priceChange && quote?.Total === priceChange.to
            ? t('orders:quote.priceChanged', {
                OldPrice: core().displayMoney(priceChange.from, catalogue.Currency),
                NewPrice: core().displayMoney(priceChange.to, catalogue.Currency),
              })
            : undefined
        }
        busy={busy}
        onRemove={removeCity}
        onOrder={() => placeOrder('order')}
        onBuy={() => placeOrder('buy')}
        coupon={
          <CouponField
            coupon={params.coupon}
            isQuoted={quote !== undefined}
            errors={errors}
            quoteErrors={couponErrors}
            onChange={(coupon) => setBuyParams({ coupon })}
          />
        }
      >
        <SegmentedControl
          label={t('order.period')}
          value={params.periodDays}
          onChange={(periodDays) => setBuyParams({ periodDays })}
          segments={catalogue.Periods.map(({ PeriodDays, DiscountBasisPoints }) => ({
            value: PeriodDays,
            label: (
              <span className={local.period}>
                {t('days', { count: PeriodDays })}{' '}
                {DiscountBasisPoints > 0 && <small>−{core().displayPercent(DiscountBasisPoints)}</small>}
              </span>
            ),
          }))}
        />
        <NodeChoices params={params} />
      </QuotePanel>
    </div>
  );
});
