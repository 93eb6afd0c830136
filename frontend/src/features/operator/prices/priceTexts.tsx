// Prices, discounts and their changes in words.
import { useTranslation } from 'react-i18next';
import type { PriceForm, Prices } from '@/api/prices';
import { core } from '@/core';
import { fillText } from '@/ui/fillText';
import { useName } from '@/ui/texts';
import { useLimitTexts } from '@/ui/useLimitTexts';
import { FIELDS, isRemoval, isSoldAfter, subjectOf, type Value } from './changes';

/** The validity of traffic; the period of IPs. */
export function usePeriodText() {
  const { t } = useTranslation('prices');
  return (days: number): string => (days === 0 ? t('never') : t('days', { count: days }));
}

/** The name of a tier; its wire name if the shop has no such tier. */
export function useTierName({ Catalogue }: Pick<Prices, 'Catalogue'>) {
  const name = useName();
  return (verStr: string): string => {
    const tier = Catalogue.Tiers.find(({ VerStr }) => VerStr === verStr);
    return tier ? name({ en: tier.LabelEn, zh: tier.LabelZh }) : verStr;
  };
}

/** What a change is about. */
export function useSubjectText(prices: Prices) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const tierName = useTierName(prices);
  return (form: PriceForm): string => {
    switch (subjectOf(form)) {
      case 'tier':
        return tierName(form.VerStr);
      case 'sale':
        return t(isSoldAfter(form) ? 'sale.sellOf' : 'sale.pauseOf', { Name: tierName(form.VerStr) });
      case 'limit':
        return t('tierLimits.of', { Name: tierName(form.VerStr) });
      case 'period':
        return period(Number(form.Days));
      case 'step':
        return t('fromIps', { count: Number(form.Min) });
      case 'traffic':
        return t('trafficStep', { Period: period(Number(form.Period)), Count: Number(form.FromGb) });
    }
  };
}

/** A price, a discount, whether a plan is sold, or what one IP may carry; what is not offered without one. */
export function useValueText({ Catalogue: { Currency } }: Pick<Prices, 'Catalogue'>) {
  const { t } = useTranslation('prices');
  const limitTexts = useLimitTexts();
  return (value: Value | undefined): string => {
    if (!value) return t('notOffered');
    if ('limits' in value) return limitTexts(value.limits).join(' · ') || t('tierLimits.none');
    if ('isSold' in value) return t(value.isSold ? 'sale.on' : 'sale.off');
    if ('amount' in value) return core().displayMoney(value.amount, Currency);
    return value.basisPoints > 0 ? `−${core().displayPercent(value.basisPoints)}` : t('noDiscount');
  };
}

/** The value after a change, which has been validated. */
export function useNewValueText(prices: Pick<Prices, 'Catalogue'>) {
  const { t } = useTranslation('prices');
  const valueText = useValueText(prices);
  return (form: PriceForm): string => {
    if (isRemoval(form)) return t('notOffered');
    const subject = subjectOf(form);
    if (subject === 'sale') return valueText({ isSold: isSoldAfter(form) });
    if (subject === 'limit') {
      const limits = { MaxConnections: Number(form.MaxConnections), MaxMegabits: Number(form.MaxMegabits) };
      return valueText({ limits });
    }
    const isDiscount = FIELDS[subject].values.includes('Discount');
    const typed = form[isDiscount ? 'Discount' : 'Price'].trim();
    if (isDiscount) return Number(typed) === 0 ? t('noDiscount') : `−${typed}%`;
    try {
      return valueText({ amount: core().subtractMoney(typed, '0.00') });
    } catch {
      // Forms accept more ways of writing an amount.
      return typed;
    }
  };
}

/** A value before and after a change. */
export function Became({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('prices');
  const arrow = (
    <>
      <span aria-hidden="true">→</span>
      <span className="visually-hidden">{t('becomes')}</span>
    </>
  );
  return fillText((marks) => t('became', marks), {
    Before: <del>{before}</del>,
    Arrow: arrow,
    After: <ins>{after}</ins>,
  });
}
