// Orders static residential proxies: tier, locations and period on the left, the live quote on the right.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { CallError, newIdempotencyKey, post, type Schemas } from '@/api/client';
import { core, type FieldErrors } from '@/core';
import { PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { type BuyParams, emptyBuyParams, useIpsStore } from '@/stores/ips';
import { useOrderStore } from '@/stores/order';
import { useCatalogue } from '@/stores/plan';
import { useResellerDiscount, useSessionStore, useUserStore } from '@/stores/user';
import { SegmentedControl } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { PAGE_KEY } from '@/ui/listAddress';
import { CouponField } from '@/ui/order/CouponField';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { PriceText, useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from '../static.module.css';
import { useTierTexts } from '../tierTexts';
import room from './buy.module.css';
import { ExactPicker } from './ExactPicker';
import { HOLD_LIMIT } from './HoldLimit';
import { PlacesPicker } from './PlacesPicker';
import { QuotePanel } from './QuotePanel';
import { useQuote } from './useQuote';

export function OrderPage() {
  const { t } = useTranslation('static_residential_proxies');
  const catalogue = useCatalogue();
  return (
    <Page title={t('order.title')} description={t('order.lead')}>
      {catalogue.isError && <ErrorState onRetry={() => catalogue.refetch()} />}
      {catalogue.isPending && <LoadingState rows={10} />}
      {catalogue.data && <OrderForm catalogue={catalogue.data} />}
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
  const { verStr, target, wanted, isExact, nodes, coupon } = now;
  const params = useMemo(
    () => ({ verStr, periodDays, target, quantities, wanted, isExact, nodes, coupon }),
    [verStr, periodDays, target, quantities, wanted, isExact, nodes, coupon],
  );
  return <DrawnForm catalogue={catalogue} params={params} />;
}

const DrawnForm = memo(function DrawnForm({ catalogue, params: buyParams }: OrderFormProps) {
  const { t } = useTranslation(['static_residential_proxies', 'orders']);
  const navigate = useNavigate();
  const texts = useTierTexts();
  const name = useName();
  const [parameters, setParameters] = useSearchParams();
  const { setBuyParams, changeQuantities, setBuyInfo } = useIpsStore.getState();
  const requestedPlan = parameters.get('plan');
  const params = {
    ...buyParams,
    verStr: buyParams.verStr || requestedPlan || catalogue.Tiers[0]?.VerStr || '',
    periodDays: buyParams.periodDays || catalogue.Periods[0]?.PeriodDays || 0,
  };
  const { request, quote, couponErrors } = useQuote(params, catalogue);
  const isLowered = params.coupon !== null && Object.keys(couponErrors).length === 0;
  const errors = useFieldErrors();
  const queryClient = useQueryClient();
  const discount = useResellerDiscount();
  // The total that the server refused, and the new one.
  const [changed, setChanged] = useState<{ from: string; to: string }>();
  const [shortCity, setShortCity] = useState<string>();
  const [busy, setBusy] = useState<'order' | 'buy'>();
  // One idempotency key per request body: resending the unchanged form is the same order.
  const [attempt, setAttempt] = useState({ for: '', key: '' });

  const targets = useQuery({ queryKey: ['targets'], queryFn: () => post('Ips/UserGetTargetList'), staleTime: 300_000 });

  // The tier in the address is applied once.
  useEffect(() => {
    if (requestedPlan && catalogue.Tiers.some((tier) => tier.VerStr === requestedPlan))
      setBuyParams({ verStr: requestedPlan });
  }, [requestedPlan, catalogue, setBuyParams]);
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

  const targetField = (
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
    setShortCity(undefined);
    if (params.isExact) setBuyParams({ nodes: params.nodes.filter((node) => node.City !== city) });
    else changeQuantities(({ [city]: _, ...others }) => others);
  };

  /** The quote follows changes of the catalogue's prices and the account's discount. */
  const loadPrices = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['catalogue'] }),
      useUserStore
        .getState()
        .loadInfo()
        .catch(() => {}),
    ]);

  const loadWallet = () =>
    useSessionStore
      .getState()
      .loadWallet()
      .catch(() => {});

  /** Places an order to pay later, or buys from the wallet at once. */
  const placeOrder = async (how: 'order' | 'buy') => {
    if (!quote) return;
    setShortCity(undefined);
    setChanged(undefined);
    const body = {
      ...request,
      ExpectedTotal: quote.Total,
      ...(params.isExact && { NodeIds: params.nodes.map((node) => node.NodeId) }),
      ...(isLowered && { Coupon: params.coupon?.Code }),
      ...(how === 'buy' && { PayFromWallet: true }),
    };
    const asked = JSON.stringify(body);
    const key = attempt.for === asked ? attempt.key : newIdempotencyKey();
    setAttempt({ for: asked, key });
    try {
      const order = await post('Order/CreateOrder', body, { idempotencyKey: key });
      setBuyParams({ ...emptyBuyParams });
      setBuyInfo(null);
      if (how === 'buy') queryClient.invalidateQueries();
      useOrderStore
        .getState()
        .loadUnpaidOrders()
        .catch(() => {});
      navigate(`/order?OrderId=${order.OrderId}`);
    } catch (error) {
      if (error instanceof CallError && error.code !== undefined) {
        errors.takeFrom(error);
        // Another tab may have ordered meanwhile.
        queryClient.invalidateQueries({ queryKey: HOLD_LIMIT });
        // A coupon that can no longer be used is removed; its field shows why.
        if ((error.data.Fields as FieldErrors | undefined)?.Coupon) setBuyParams({ coupon: null });
        if (typeof error.data.City === 'string') setShortCity(error.data.City);
        // The stock shown was stale.
        if (typeof error.data.Available === 'number') {
          queryClient.invalidateQueries({ queryKey: ['stock'] });
          queryClient.invalidateQueries({ queryKey: ['purchasable-nodes'] });
        }
        if (typeof error.data.Key === 'string') showToast(error.message, 'warning');
        if (typeof error.data.OldPrice === 'string' && typeof error.data.NewPrice === 'string') {
          setChanged({ from: error.data.OldPrice, to: error.data.NewPrice });
          await loadPrices();
        }
        // The balance shown was stale.
        if (typeof error.data.Balance === 'string') loadWallet();
        // After a refusal, the next attempt is a new request.
        setAttempt({ for: '', key: '' });
      }
    }
  };

  const isPlacing = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const drawn = useRef({ params: buyParams, placeOrder });
  drawn.current = { params: buyParams, placeOrder };
  /** Orders what the controls show, even before the rest of the form has followed. */
  const placeShown = async (how: 'order' | 'buy') => {
    const isBehind = () => {
      const { quantities, periodDays } = useIpsStore.getState().buyParams;
      return quantities !== drawn.current.params.quantities || periodDays !== drawn.current.params.periodDays;
    };
    // A ref, because a second click may come before the button is re-rendered.
    if (isPlacing.current) return;
    isPlacing.current = true;
    setBusy(how);
    try {
      while (isShown.current && isBehind()) await new Promise(requestAnimationFrame);
      if (isShown.current) await drawn.current.placeOrder(how);
    } finally {
      isPlacing.current = false;
      setBusy(undefined);
    }
  };

  return (
    <div className={room.order}>
      <div className={s.choices}>
        <fieldset className={room.tierChoices}>
          <legend className="visually-hidden">{t('order.tier')}</legend>
          {catalogue.Tiers.map((tier) => {
            const { label, desc } = texts(tier);
            return (
              <label key={tier.VerStr} className={room.tierChoice}>
                <input
                  type="radio"
                  name="tier"
                  checked={tier.VerStr === params.verStr}
                  onChange={() => chooseTier(tier.VerStr)}
                />
                <span>
                  <strong>{label}</strong>
                  <em>
                    <PriceText listPrice={tier.Price} currency={catalogue.Currency} basisPoints={discount} />{' '}
                    {t('pricing.unit', { Days: PRICE_PERIOD_DAYS })}
                  </em>
                  <small>{desc}</small>
                </span>
              </label>
            );
          })}
        </fieldset>
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
                setShortCity(undefined);
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
        error={errors.textOf('Lines') ?? errors.textOf('PeriodDays') ?? errors.textOf('VerStr')}
        change={
          changed && quote?.Total === changed.to
            ? t('orders:quote.priceChanged', {
                OldPrice: core().displayMoney(changed.from, catalogue.Currency),
                NewPrice: core().displayMoney(changed.to, catalogue.Currency),
              })
            : undefined
        }
        busy={busy}
        onRemove={removeCity}
        onOrder={() => placeShown('order')}
        onBuy={() => placeShown('buy')}
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
              <span className={room.period}>
                {t('days', { count: PeriodDays })}{' '}
                {DiscountBasisPoints > 0 && <small>−{core().displayPercent(DiscountBasisPoints)}</small>}
              </span>
            ),
          }))}
        />
      </QuotePanel>
    </div>
  );
});
