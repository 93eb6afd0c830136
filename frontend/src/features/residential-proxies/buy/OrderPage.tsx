// Orders residential traffic: validity and amount on the left, the live quote on the right, purchased traffic below.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { CallError, newIdempotencyKey } from '@/api/client';
import { createTrafficOrder } from '@/api/traffic';
import { type Coupon, core, type FieldErrors, type TrafficCatalogue, type TrafficOffer } from '@/core';
import { HOLD_MINUTES } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useOrderStore } from '@/stores/order';
import { useSessionStore, useUserStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { useFieldErrors, useRuleText } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { CouponField } from '@/ui/order/CouponField';
import { QuotePanel } from '@/ui/order/QuotePanel';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { BatchList } from '../BatchList';
import { ContactSupport } from '../ContactSupport';
import { TRAFFIC, TRAFFIC_PRICES, usePeriodText, useTrafficPrices } from '../useTraffic';
import { AmountPicker } from './AmountPicker';
import room from './buy.module.css';
import { NextStep } from './NextStep';
import { GIGABYTES_KEY, PERIOD_KEY } from './orderAddress';
import { useTrafficQuote } from './useTrafficQuote';

export function OrderPage() {
  const { t } = useTranslation('residential_buy');
  const prices = useTrafficPrices();
  const shop = prices.data;
  return (
    <Page title={t('order.title')} description={t('order.lead')}>
      {!shop && (
        <Card>{prices.isError ? <ErrorState onRetry={() => prices.refetch()} /> : <LoadingState rows={10} />}</Card>
      )}
      {shop?.Offers.length === 0 && (
        <Card>
          <EmptyState title={t('pricing.none')} action={<ContactSupport />}>
            {t('pricing.noneHint')}
          </EmptyState>
        </Card>
      )}
      {shop && shop.Offers.length > 0 && <OrderForm prices={shop} />}
    </Page>
  );
}

const FIRST_AMOUNT = '50';

function OrderForm({ prices }: { prices: TrafficCatalogue }) {
  const { t } = useTranslation(['residential_buy', 'orders']);
  const period = usePeriodText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [parameters] = useSearchParams();
  const wallet = useSessionStore((state) => state.wallet);
  const shop = useConfigStore((state) => state.shop);
  const [periodDays, setPeriodDays] = useState(Number(parameters.get(PERIOD_KEY) ?? prices.Offers[0]?.PeriodDays));
  const [typed, setTyped] = useState(parameters.get(GIGABYTES_KEY) ?? FIRST_AMOUNT);
  const [coupon, setCoupon] = useState<Coupon | null>(null);
  const errors = useFieldErrors();
  // The total that the server refused, and the new one.
  const [changed, setChanged] = useState<{ from: string; to: string }>();
  const [busy, setBusy] = useState<'order' | 'buy'>();
  // One idempotency key per request body: resending the unchanged form is the same order.
  const [attempt, setAttempt] = useState({ for: '', key: '' });

  // The validity in the address may no longer be offered.
  const offer = prices.Offers.find((one) => one.PeriodDays === periodDays) ?? (prices.Offers[0] as TrafficOffer);
  const quoted = useTrafficQuote(typed, offer.PeriodDays, coupon, prices);
  const { gigabytes, quote, couponErrors, larger, difference } = quoted;
  const isLowered = coupon !== null && Object.keys(couponErrors).length === 0;
  const broken = quoted.errors.Gigabytes?.[0];
  const ruleText = useRuleText(broken !== undefined);

  const change = (amount: string) => {
    errors.clear('Gigabytes');
    setTyped(amount);
  };

  /** The quote follows changes of the shop's prices and the account's discount. */
  const loadPrices = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: TRAFFIC_PRICES }),
      useUserStore
        .getState()
        .loadInfo()
        .catch(() => {}),
    ]);

  /** Errors from the server. */
  const takeRefusal = async (error: CallError) => {
    errors.takeFrom(error);
    // A coupon that can no longer be used is removed; its field shows why.
    if ((error.data.Fields as FieldErrors | undefined)?.Coupon) setCoupon(null);
    if (typeof error.data.Key === 'string') showToast(error.message, 'warning');
    if (typeof error.data.OldPrice === 'string' && typeof error.data.NewPrice === 'string') {
      setChanged({ from: error.data.OldPrice, to: error.data.NewPrice });
      await loadPrices();
    }
    // The balance shown was stale.
    if (typeof error.data.Balance === 'string') {
      useSessionStore
        .getState()
        .loadWallet()
        .catch(() => {});
    }
  };

  /** Places an order to pay later, or buys from the wallet at once. */
  const placeOrder = async (how: 'order' | 'buy') => {
    if (!quote || busy) return;
    setBusy(how);
    setChanged(undefined);
    const order = {
      Gigabytes: quote.Gigabytes,
      PeriodDays: quote.PeriodDays,
      ExpectedTotal: quote.Total,
      ...(isLowered && { Coupon: coupon.Code }),
      ...(how === 'buy' && { PayFromWallet: true }),
    };
    const asked = JSON.stringify(order);
    const key = attempt.for === asked ? attempt.key : newIdempotencyKey();
    setAttempt({ for: asked, key });
    try {
      const { OrderId } = await createTrafficOrder(order, { idempotencyKey: key });
      if (how === 'buy') queryClient.invalidateQueries();
      else queryClient.invalidateQueries({ queryKey: TRAFFIC });
      useOrderStore
        .getState()
        .loadUnpaidOrders()
        .catch(() => {});
      navigate(`/order?OrderId=${OrderId}`);
    } catch (error) {
      if (error instanceof CallError && error.code !== undefined) {
        await takeRefusal(error);
        // After a refusal, the next attempt is a new request.
        setAttempt({ for: '', key: '' });
      }
    } finally {
      setBusy(undefined);
    }
  };

  return (
    <div className={room.order}>
      <div className={room.stack}>
        <Card title={t('order.period')}>
          <div className={room.periods}>
            <OptionList
              label={t('order.period')}
              isLabelHidden
              value={String(offer.PeriodDays)}
              onChange={(days) => setPeriodDays(Number(days))}
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
              onChange={setCoupon}
            />
          </>
        }
        whenShort={quote && wallet && shop && <TopUp balance={wallet.WalletBalance} total={quote.Total} />}
      />
      <BatchList />
    </div>
  );
}

/** Link to a top-up of the missing amount, or of the minimum. */
function TopUp({ balance, total }: { balance: string; total: string }) {
  const { t } = useTranslation('residential_buy');
  const shop = useConfigStore((state) => state.shop);
  if (!shop) return null;
  const amount = core().topUpFor(balance, total, shop.MinTopUp);
  return (
    <ButtonLink to={`/billing/wallet?Amount=${amount}`} wide>
      {t('order.topUp', { Amount: core().displayMoney(amount, shop.Currency) })}
    </ButtonLink>
  );
}
