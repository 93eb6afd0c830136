// Orders residential traffic: validity and amount on the left, the live quote on the right, purchased traffic below.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { CallError } from '@/api/client';
import { createTrafficOrder, trafficCatalogueQuery } from '@/api/traffic';
import { useCall } from '@/api/useCall';
import { type Coupon, core, type FieldErrors, type TrafficCatalogue, type TrafficOffer } from '@/core';
import { HOLD_MINUTES } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { refreshUnpaidOrders } from '@/stores/order';
import { refreshInfo, refreshWallet, useSessionStore } from '@/stores/user';
import { OptionList } from '@/ui/Controls';
import { useRuleText } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { CouponField } from '@/ui/order/CouponField';
import { QuotePanel } from '@/ui/order/QuotePanel';
import { TopUpMissing } from '@/ui/order/TopUpMissing';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { BatchList } from '../BatchList';
import { ContactSupport } from '../ContactSupport';
import { usePeriodText } from '../useTraffic';
import { AmountPicker } from './AmountPicker';
import local from './buy.module.css';
import { readCoupon, storeCoupon } from './keptCoupon';
import { NextStep } from './NextStep';
import { GIGABYTES_KEY, PERIOD_KEY } from './orderAddress';
import { useTrafficQuote } from './useTrafficQuote';

export function OrderPage() {
  const { t } = useTranslation('residential_buy');
  const prices = useQuery(trafficCatalogueQuery);
  const shop = prices.data;
  return (
    <Page title={t('order.title')} description={t('order.lead')}>
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
        <>
          <Card>
            <EmptyState title={t('pricing.none')} action={<ContactSupport />}>
              {t('pricing.noneHint')}
            </EmptyState>
          </Card>
          <BatchList />
        </>
      )}
      {shop && shop.Offers.length > 0 && <OrderForm prices={shop} />}
    </Page>
  );
}

function OrderForm({ prices }: { prices: TrafficCatalogue }) {
  const { t } = useTranslation(['residential_buy', 'orders']);
  const period = usePeriodText();
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  const wallet = useSessionStore((state) => state.wallet);
  const shop = useConfigStore((state) => state.shop);
  const [periodDays, setPeriodDays] = useState(Number(parameters.get(PERIOD_KEY) ?? prices.Offers[0]?.PeriodDays));
  const [entered, setTyped] = useState(parameters.get(GIGABYTES_KEY));
  const [coupon, setCoupon] = useState<Coupon | null>(readCoupon);
  const call = useCall(createTrafficOrder);
  const { errors } = call;
  // The total that the server refused, and the new one.
  const [changed, setChanged] = useState<{ from: string; to: string }>();
  const busy = call.sending && (call.sending.PayFromWallet ? 'buy' : 'order');

  // The validity in the address may no longer be offered.
  const offer = prices.Offers.find((one) => one.PeriodDays === periodDays) ?? (prices.Offers[0] as TrafficOffer);
  // Nothing expensive is preselected.
  const typed = entered ?? String(Math.min(...offer.Steps.map((step) => step.MinGigabytes)));
  const quoted = useTrafficQuote(typed, offer.PeriodDays, coupon, prices);
  const { gigabytes, quote, couponErrors, larger, difference } = quoted;
  const isLowered = coupon !== null && Object.keys(couponErrors).length === 0;
  const broken = quoted.errors.Gigabytes?.[0];
  const ruleText = useRuleText(broken !== undefined);

  /** A reload keeps the amount and the validity in the address, the coupon in the browser session. */
  const keep = (key: string, value: string) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.set(key, value);
        return next;
      },
      { replace: true },
    );
  const change = (amount: string) => {
    errors.clear('Gigabytes');
    setTyped(amount);
    keep(GIGABYTES_KEY, amount);
  };
  const choosePeriod = (days: string) => {
    setPeriodDays(Number(days));
    keep(PERIOD_KEY, days);
  };
  const changeCoupon = (next: Coupon | null) => {
    setCoupon(next);
    storeCoupon(next);
  };

  /** Errors from the server. */
  const takeRefusal = (error: CallError) => {
    // A coupon that can no longer be used is removed; its field shows why.
    if ((error.data.Fields as FieldErrors | undefined)?.Coupon) changeCoupon(null);
    if (typeof error.data.Key === 'string') showToast(error.message, 'warning');
    if (typeof error.data.OldPrice === 'string' && typeof error.data.NewPrice === 'string') {
      setChanged({ from: error.data.OldPrice, to: error.data.NewPrice });
      // The quote follows changes of the account's discount.
      refreshInfo();
    }
    // The balance shown was stale.
    if (typeof error.data.Balance === 'string') {
      refreshWallet();
    }
  };

  /** Places an order to pay later, or buys from the wallet at once. */
  const placeOrder = async (how: 'order' | 'buy') => {
    if (!quote) return;
    setChanged(undefined);
    const order = {
      Gigabytes: quote.Gigabytes,
      PeriodDays: quote.PeriodDays,
      ExpectedTotal: quote.Total,
      ...(isLowered && { Coupon: coupon.Code }),
      ...(how === 'buy' && { PayFromWallet: true }),
    };
    const onDone = ({ OrderId }: { OrderId: number }) => {
      storeCoupon(null);
      refreshUnpaidOrders();
      navigate(`/order?OrderId=${OrderId}`);
    };
    await call.run(order, onDone, takeRefusal);
  };

  return (
    <div className={local.order}>
      <div className={local.stack}>
        <Card title={t('order.period')}>
          <div className={local.periods}>
            <OptionList
              label={t('order.period')}
              isLabelHidden
              value={String(offer.PeriodDays)}
              onChange={choosePeriod}
              options={prices.Offers.map((one) => ({
                value: String(one.PeriodDays),
                label: period(one.PeriodDays),
                hint: one.PeriodDays === 0 ? t('pricing.forever') : t('pricing.for30', { Days: one.PeriodDays }),
              }))}
            />
          </div>
        </Card>
        <Card title={t('order.amount')}>
          <AmountPicker
            offer={offer}
            currency={prices.Currency}
            value={typed}
            gigabytes={gigabytes}
            error={errors.textOf('Gigabytes') ?? (broken && ruleText(broken))}
            onChange={change}
          />
        </Card>
      </div>
      <QuotePanel
        currency={prices.Currency}
        quote={quote}
        wallet={wallet}
        lines={
          quote && (
            <>
              <div>
                <dt>
                  {t('order.line', {
                    Count: quote.Gigabytes,
                    Price: core().displayMoney(quote.UnitPrice, prices.Currency),
                  })}
                </dt>
                <dd>
                  <MoneyText amount={quote.Subtotal} currency={prices.Currency} />
                </dd>
              </div>
              <div>
                <dt>{t('order.validity')}</dt>
                <dd>{offer.PeriodDays === 0 ? t('never') : t('order.validDays', { Days: offer.PeriodDays })}</dd>
              </div>
            </>
          )
        }
        total={t('order.totalFor', { Count: quote?.Gigabytes ?? 0 })}
        nothing={t('order.nothing')}
        error={errors.textOf('PeriodDays')}
        change={
          changed && quote?.Total === changed.to
            ? t('orders:quote.priceChanged', {
                OldPrice: core().displayMoney(changed.from, prices.Currency),
                NewPrice: core().displayMoney(changed.to, prices.Currency),
              })
            : undefined
        }
        busy={busy}
        hints={{ buy: t('order.buyHint'), order: t('order.hold', { Minutes: HOLD_MINUTES }) }}
        onOrder={() => placeOrder('order')}
        onBuy={() => placeOrder('buy')}
        coupon={
          <>
            {quote && larger && difference !== undefined && (
              <NextStep
                quote={quote}
                larger={larger}
                difference={difference}
                onTake={(amount) => change(String(amount))}
              />
            )}
            <CouponField
              coupon={coupon}
              isQuoted={quote !== undefined}
              errors={errors}
              quoteErrors={couponErrors}
              onChange={changeCoupon}
            />
          </>
        }
        whenShort={
          quote && wallet && shop && <TopUpMissing balance={wallet.WalletBalance} total={quote.Total} shop={shop} />
        }
      />
      <BatchList />
    </div>
  );
}
