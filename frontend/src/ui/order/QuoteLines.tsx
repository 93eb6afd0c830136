// The discounts of a quote, as lines.
import { useTranslation } from 'react-i18next';
import { type Currency, core, type Quote } from '@/core';
import { MoneyText } from '../texts';
import s from './quote.module.css';

export function DiscountLines({ discounts, currency }: { discounts: Quote['Discounts']; currency: Currency }) {
  const { t } = useTranslation(['orders', 'common']);
  return discounts.map((discount) => (
    <div key={discount.Kind} className={s.discount}>
      <dt>
        {discount.BasisPoints > 0
          ? t('common:withNote', {
              Text: t(`discount.${discount.Kind}`),
              Note: core().displayPercent(discount.BasisPoints),
            })
          : t(`discount.${discount.Kind}`)}
      </dt>
      <dd>
        −<MoneyText amount={discount.Amount} currency={currency} />
      </dd>
    </div>
  ));
}
