// Prices of residential traffic: a table of price steps for each validity.
import { useTranslation } from 'react-i18next';
import type { Prices } from '@/api/prices';
import { PriceAction } from '@/core/constants.gen';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { priceForm } from './changes';
import type { PriceTarget } from './PriceDialog';
import { PriceTable } from './PriceTable';
import s from './prices.module.css';
import { usePeriodText, useSubjectText } from './priceTexts';

interface TrafficPricesProps {
  prices: Prices;
  /** Undefined for who may not change prices. */
  onOpen: ((target: PriceTarget) => void) | undefined;
}

export function TrafficPrices({ prices, onOpen }: TrafficPricesProps) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const subjectText = useSubjectText(prices);
  const { Currency, Offers } = prices.Traffic;
  if (Offers.length === 0) {
    return (
      <Card>
        <EmptyState title={t('traffic.empty')}>{t('traffic.emptyHint')}</EmptyState>
      </Card>
    );
  }
  return (
    <>
      <p className={s.soft}>{t('traffic.lead')}</p>
      {Offers.map(({ PeriodDays, Steps }) => {
        const Period = String(PeriodDays);
        return (
          <PriceTable
            key={Period}
            title={period(PeriodDays)}
            lead={PeriodDays === 0 ? t('traffic.forever') : t('traffic.limited', { Period: period(PeriodDays) })}
            heads={[t('traffic.order'), t('traffic.price')]}
            rows={Steps.map(({ MinGigabytes, Price }) => {
              const FromGb = String(MinGigabytes);
              const edit = priceForm(PriceAction.SetTraffic, { Period, FromGb, Price });
              return {
                key: FromGb,
                name: subjectText(edit),
                label: t('fromGb', { Count: MinGigabytes }),
                value: <MoneyText amount={Price} currency={Currency} />,
                edit,
                remove: priceForm(PriceAction.RemoveTraffic, { Period, FromGb }),
              };
            })}
            onOpen={onOpen}
          />
        );
      })}
    </>
  );
}
