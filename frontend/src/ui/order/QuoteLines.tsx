// The discounts of a quote, as lines.
import { useTranslation } from 'react-i18next';
import { type Currency, core, type Quote } from '@/core';
import { MoneyText } from '../texts';
import s from './quote.module.css';

export function DiscountLines({ discounts, currency }: { discounts: Quote['Discounts']; currency: Currency }) {
  const { t } = useTranslation('orders');
  return discounts.map((discount) => (
    <div key={discount.Kind} className={s.discount}>
      <dt>
        {t(`discount.${discount.Kind}`)}
        {discount.BasisPoints > 0 && ` (${core().displayPercent(discount.BasisPoints)})`}
      </dt>
      <dd>
        −<MoneyText amount={discount.Amount} currency={currency} />
      </dd>
    </div>
  ));
}
