// The discounts of a quote, as lines.
import type { Currency, Quote } from '@/core';
import { MoneyText } from '../texts';
import { useDiscountText } from './contents';
import s from './quote.module.css';

export function DiscountLines({ discounts, currency }: { discounts: Quote['Discounts']; currency: Currency }) {
  const discountText = useDiscountText();
  return discounts.map((discount) => (
    <div key={discount.Kind} className={s.discount}>
      <dt>{discountText(discount)}</dt>
      <dd>
        −<MoneyText amount={discount.Amount} currency={currency} />
      </dd>
    </div>
  ));
}
