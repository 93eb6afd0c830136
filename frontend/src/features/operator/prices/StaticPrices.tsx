// Prices of static residential proxies: plans with their limits, periods and volume discounts.
import { useTranslation } from 'react-i18next';
import type { Prices } from '@/api/prices';
import { screenRules } from '@/core';
import { PRICE_PERIOD_DAYS, PriceAction } from '@/core/constants.gen';
import { Badge } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { limitForm, priceForm, saleForm } from './changes';
import type { PriceTarget } from './PriceDialog';
import { PriceTable } from './PriceTable';
import s from './prices.module.css';
import { usePeriodText, useSubjectText, useTierName, useValueText } from './priceTexts';

interface StaticPricesProps {
  prices: Prices;
  /** Undefined for who may not change prices. */
  onOpen: ((target: PriceTarget) => void) | undefined;
}

export function StaticPrices({ prices, onOpen }: StaticPricesProps) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const tierName = useTierName(prices);
  const subjectText = useSubjectText(prices);
  const valueText = useValueText(prices);
  const { Currency, Tiers, Periods, QuantitySteps } = prices.Catalogue;
  const discount = (basisPoints: number) => valueText({ basisPoints });
  const typed = (basisPoints: number) => screenRules().plainPercent(basisPoints);
  return (
    <>
      <PriceTable
        title={t('tiers.title')}
        lead={t('tiers.lead')}
        heads={[t('tiers.tier'), t('tiers.price', { Period: period(PRICE_PERIOD_DAYS) })]}
        rows={Tiers.map((tier) => {
          const { VerStr, Price, IsSold } = tier;
          const sale = saleForm(tier);
          return {
            key: VerStr,
            name: tierName(VerStr),
            label: (
              <span className={s.change}>
                {tierName(VerStr)} <Badge tone={IsSold ? 'good' : 'neutral'}>{valueText({ isSold: IsSold })}</Badge>
              </span>
            ),
            value: <MoneyText amount={Price} currency={Currency} />,
            edit: priceForm(PriceAction.SetTier, { VerStr, Price }),
            other: { text: t(IsSold ? 'sale.pause' : 'sale.sell'), label: subjectText(sale), form: sale },
          };
        })}
        onOpen={onOpen}
      />
      <PriceTable
        title={t('tierLimits.title')}
        lead={t('tierLimits.lead')}
        heads={[t('tiers.tier'), t('tierLimits.most')]}
        rows={Tiers.map((tier) => {
          const edit = limitForm(tier);
          return {
            key: tier.VerStr,
            name: subjectText(edit),
            label: tierName(tier.VerStr),
            value: valueText({ limits: tier }),
            edit,
          };
        })}
        onOpen={onOpen}
      />
      <PriceTable
        title={t('periods.title')}
        lead={t('periods.lead')}
        heads={[t('periods.period'), t('discount')]}
        add={{ label: t('add.period'), form: priceForm(PriceAction.SetPeriod) }}
        rows={Periods.map(({ PeriodDays, DiscountBasisPoints }) => {
          const Days = String(PeriodDays);
          return {
            key: Days,
            name: period(PeriodDays),
            label: period(PeriodDays),
            value: discount(DiscountBasisPoints),
            edit: priceForm(PriceAction.SetPeriod, { Days, Discount: typed(DiscountBasisPoints) }),
            remove: priceForm(PriceAction.RemovePeriod, { Days }),
          };
        })}
        onOpen={onOpen}
      />
      <PriceTable
        title={t('steps.title')}
        lead={t('steps.lead')}
        heads={[t('steps.order'), t('discount')]}
        add={{ label: t('add.step'), form: priceForm(PriceAction.SetStep) }}
        rows={QuantitySteps.map(({ MinQuantity, DiscountBasisPoints }) => {
          const Min = String(MinQuantity);
          const name = t('fromIps', { count: MinQuantity });
          return {
            key: Min,
            name,
            label: name,
            value: discount(DiscountBasisPoints),
            edit: priceForm(PriceAction.SetStep, { Min, Discount: typed(DiscountBasisPoints) }),
            remove: priceForm(PriceAction.RemoveStep, { Min }),
          };
        })}
        empty={t('steps.empty')}
        onOpen={onOpen}
      />
    </>
  );
}
