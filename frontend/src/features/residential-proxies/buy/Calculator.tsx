// Price calculator for traffic, linked to the order form.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficCatalogue, TrafficOffer } from '@/core';
import { ButtonLink } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { useRuleText } from '@/ui/form';
import { Notice } from '@/ui/Notice';
import { DiscountLines } from '@/ui/order/QuoteLines';
import q from '@/ui/order/quote.module.css';
import { Card } from '@/ui/Page';
import { MoneyText } from '@/ui/texts';
import { usePeriodText } from '../useTraffic';
import { AmountPicker } from './AmountPicker';
import local from './buy.module.css';
import { NextStep } from './NextStep';
import { orderAddress } from './orderAddress';
import { useTrafficQuote } from './useTrafficQuote';

const FIRST_AMOUNT = '50';

export function Calculator({ prices }: { prices: TrafficCatalogue }) {
  const { t } = useTranslation('residential_buy');
  const period = usePeriodText();
  const [periodDays, setPeriodDays] = useState(prices.Offers[0]?.PeriodDays ?? 0);
  const [typed, setTyped] = useState(FIRST_AMOUNT);
  const offer = prices.Offers.find((one) => one.PeriodDays === periodDays) ?? (prices.Offers[0] as TrafficOffer);
  const { gigabytes, quote, errors, larger, difference } = useTrafficQuote(typed, offer.PeriodDays, null, prices);
  const broken = errors.Gigabytes?.[0];
  const ruleText = useRuleText(broken !== undefined);
  return (
    <Card title={t('pricing.calculator')}>
      <div className={local.calculator}>
        <div className={local.stack}>
          <SegmentedControl
            label={t('order.period')}
            value={offer.PeriodDays}
            onChange={setPeriodDays}
            segments={prices.Offers.map((one) => ({ value: one.PeriodDays, label: period(one.PeriodDays) }))}
          />
          <AmountPicker
            offer={offer}
            currency={prices.Currency}
            value={typed}
            gigabytes={gigabytes}
            error={typed.trim() !== '' && broken ? ruleText(broken) : undefined}
            onChange={setTyped}
          />
        </div>
        <div className={local.stack} aria-live="polite">
          {quote ? (
            <>
              <dl className={q.sums}>
                <div>
                  <dt>{t('pricing.perGb')}</dt>
                  <dd>
                    <MoneyText amount={quote.UnitPrice} currency={quote.Currency} />
                  </dd>
                </div>
                <DiscountLines discounts={quote.Discounts} currency={quote.Currency} />
              </dl>
              <dl className={q.total}>
                <dt>{t('order.totalFor', { Count: quote.Gigabytes })}</dt>
                <dd>
                  <MoneyText amount={quote.Total} currency={quote.Currency} />
                </dd>
              </dl>
              {larger && difference !== undefined && (
                <NextStep
                  quote={quote}
                  larger={larger}
                  difference={difference}
                  onTake={(amount) => setTyped(String(amount))}
                />
              )}
              <div>
                <ButtonLink to={orderAddress(quote.Gigabytes, offer.PeriodDays)} variant="primary">
                  {t('pricing.orderThese')}
                </ButtonLink>
              </div>
            </>
          ) : (
            <Notice tone="neutral">{t('order.nothing')}</Notice>
          )}
        </div>
      </div>
    </Card>
  );
}
