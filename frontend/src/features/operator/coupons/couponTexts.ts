// A coupon's terms in words.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { pricesQuery } from '@/api/prices';
import { type Coupon, core } from '@/core';
import { TRAFFIC_PRODUCT } from '@/core/constants.gen';
import { useName } from '@/ui/texts';

type Stored = Schemas['Coupon'];

/** The minimum of a coupon without one. */
const NO_MINIMUM = '0.00';

/** The name of a product: a tier or residential traffic; its wire name if the shop has no such tier. */
export function useProductName() {
  const { t } = useTranslation('coupons');
  const name = useName();
  const tiers = useQuery(pricesQuery()).data?.Prices.Catalogue.Tiers;
  return (product: string): string => {
    if (product === TRAFFIC_PRODUCT) return t('traffic');
    const tier = tiers?.find(({ VerStr }) => VerStr === product);
    return tier ? name({ en: tier.LabelEn, zh: tier.LabelZh }) : product;
  };
}

export function useCouponTexts() {
  const { t } = useTranslation('coupons');
  const productName = useProductName();
  const currency = useQuery(pricesQuery()).data?.Prices.Catalogue.Currency;
  const money = (amount: string) => (currency ? core().displayMoney(amount, currency) : amount);
  return {
    benefit: (coupon: Stored): string => {
      // The API's document does not say what is in it.
      const benefit = coupon.Benefit as unknown as Coupon['Benefit'];
      return 'Percent' in benefit ? core().displayPercent(benefit.Percent) : money(benefit.Amount);
    },
    minimum: ({ Minimum }: Stored): string | undefined => (Minimum === NO_MINIMUM ? undefined : money(Minimum)),
    products: ({ Products = [] }: Stored): string =>
      Products.length === 0 ? t('allProducts') : Products.map(productName).join(t('separator')),
    uses: ({ Coupon: { TotalUses }, Orders }: Schemas['CouponView']): string =>
      TotalUses == null
        ? t('uses.unlimited', { Count: Orders })
        : t('uses.limited', { Count: Orders, Total: TotalUses }),
    conditions: ({ UsesPerAccount, FirstOrderOnly }: Stored): string[] => [
      ...(FirstOrderOnly ? [t('firstOrderOnly')] : []),
      ...(UsesPerAccount == null ? [] : [t('perAccount', { Count: UsesPerAccount })]),
    ],
  };
}
