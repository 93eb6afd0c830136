// Price calculator for a number of IPs, with the next quantity discount.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { useIpsStore } from '@/stores/ips';
import { useResellerDiscount } from '@/stores/user';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { SelectField, TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { DiscountLines } from '@/ui/order/QuoteLines';
import q from '@/ui/order/quote.module.css';
import { Card } from '@/ui/Page';
import { MoneyText } from '@/ui/texts';
import s from '../static.module.css';
import { useTierTexts } from '../tierTexts';
import local from './buy.module.css';
import { estimate } from './estimate';

/** `catalogue`: with the tiers on sale only. */
export function Calculator({ catalogue }: { catalogue: Schemas['Catalogue'] }) {
  const { t } = useTranslation('static_residential_proxies');
  const navigate = useNavigate();
  const texts = useTierTexts();
  const [chosen, setVerStr] = useState('');
  const verStr = (catalogue.Tiers.find(({ VerStr }) => VerStr === chosen) ?? catalogue.Tiers[0])?.VerStr ?? '';
  const [typed, setTyped] = useState('10');
  const [periodDays, setPeriodDays] = useState(catalogue.Periods[0]?.PeriodDays ?? 0);
  const terms = { ResellerBasisPoints: useResellerDiscount() };
  const isWhole = /^\d{1,7}$/.test(typed.trim());
  const quantity = isWhole ? Number(typed) : 0;
  const quote = quantity > 0 ? estimate(verStr, periodDays, quantity, catalogue, terms) : undefined;
  const next = quote && core().nextQuantityStep(quantity, catalogue);
  const order = () => {
    useIpsStore.getState().setBuyParams({ verStr, periodDays, wanted: quantity, isExact: false, nodes: [] });
    navigate(`/static-residential-proxies/order?plan=${encodeURIComponent(verStr)}`);
  };
  return (
    <Card title={t('pricing.calculator')}>
      <div className={local.calculator}>
        <div className={s.form}>
          <SelectField label={t('order.tier')} value={verStr} onChange={(event) => setVerStr(event.target.value)}>
            {catalogue.Tiers.map((tier) => (
              <option key={tier.VerStr} value={tier.VerStr}>
                {texts(tier).label}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('pricing.quantity')}
            inputMode="numeric"
            value={typed}
            error={typed.trim() !== '' && !isWhole ? t('pricing.wholeNumber') : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          <SegmentedControl
            label={t('order.period')}
            value={periodDays}
            onChange={setPeriodDays}
            segments={catalogue.Periods.map((period) => ({
              value: period.PeriodDays,
              label: t('days', { count: period.PeriodDays }),
            }))}
          />
        </div>
        <div className={s.form} aria-live="polite">
          {quote ? (
            <>
              <dl className={q.sums}>
                <div>
                  <dt>{t('pricing.perIp', { Period: t('days', { count: periodDays }) })}</dt>
                  <dd>
                    <MoneyText amount={quote.UnitPrice} currency={quote.Currency} />
                  </dd>
                </div>
                <div>
                  <dt>{t('pricing.sum')}</dt>
                  <dd>
                    <MoneyText amount={quote.Subtotal} currency={quote.Currency} />
                  </dd>
                </div>
                <DiscountLines discounts={quote.Discounts} currency={quote.Currency} />
              </dl>
              <dl className={q.total}>
                <dt>{t('order.totalFor', { count: quantity })}</dt>
                <dd>
                  <MoneyText amount={quote.Total} currency={quote.Currency} />
                </dd>
              </dl>
              <p className={s.soft}>
                {next
                  ? t('pricing.nextStep', {
                      count: next.MissingQuantity,
                      Percent: core().displayPercent(next.DiscountBasisPoints),
                    })
                  : t('pricing.bestStep')}
              </p>
            </>
          ) : (
            <Notice tone="neutral">{quantity > 0 ? t('pricing.tooMany') : t('order.nothing')}</Notice>
          )}
          <div>
            <Button variant="primary" disabled={!quote} onClick={order}>
              {t('pricing.orderThese')}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}
