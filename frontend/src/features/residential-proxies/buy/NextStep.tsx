// Suggests the next price step, with the difference in total price.
import { useTranslation } from 'react-i18next';
import { core, type TrafficQuote } from '@/core';
import { useResellerDiscount } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import local from './buy.module.css';

interface NextStepProps {
  quote: TrafficQuote;
  larger: TrafficQuote;
  difference: string;
  onTake: (gigabytes: number) => void;
}

export function NextStep({ quote, larger, difference, onTake }: NextStepProps) {
  const { t } = useTranslation('residential_buy');
  const discount = useResellerDiscount();
  const shown = (amount: string) => core().displayMoney(amount, quote.Currency);
  const isLess = core().isNegative(difference);
  const isSame = larger.Total === quote.Total;
  const text = isLess ? 'order.nextCheaper' : isSame ? 'order.nextSame' : 'order.next';
  return (
    <Notice tone={isLess || isSame ? 'good' : 'neutral'}>
      <div className={local.next}>
        <span>
          {t(text, {
            Gigabytes: larger.Gigabytes,
            Price: shown(discount > 0 ? core().resellerPrice(larger.UnitPrice, discount) : larger.UnitPrice),
            More: larger.Gigabytes - quote.Gigabytes,
            Difference: shown(isLess ? core().subtractMoney(quote.Total, larger.Total) : difference),
          })}
        </span>
        <Button size="small" onClick={() => onTake(larger.Gigabytes)}>
          {t('order.take', { Count: larger.Gigabytes })}
        </Button>
      </div>
    </Notice>
  );
}
