// Price steps of one validity, each linked to the order form.
import { useTranslation } from 'react-i18next';
import { type Currency, core, screenRules, type TrafficOffer } from '@/core';
import { ButtonLink } from '@/ui/Button';
import { Card } from '@/ui/Page';
import { PriceText } from '@/ui/texts';
import { usePeriodText } from '../useTraffic';
import local from './buy.module.css';
import { orderAddress } from './orderAddress';

interface PriceTableProps {
  offer: TrafficOffer;
  currency: Currency;
  /** The account's discount in hundredths of a percent. */
  discount: number;
}

export function PriceTable({ offer, currency, discount }: PriceTableProps) {
  const { t } = useTranslation('residential_buy');
  const period = usePeriodText();
  const isForever = offer.PeriodDays === 0;
  return (
    <Card title={period(offer.PeriodDays)}>
      <p className={local.soft}>{isForever ? t('pricing.forever') : t('pricing.for30', { Days: offer.PeriodDays })}</p>
      <table className={local.table}>
        <caption className="visually-hidden">{period(offer.PeriodDays)}</caption>
        <thead>
          <tr>
            <th scope="col">{t('pricing.from')}</th>
            <th scope="col">{t('pricing.perGb')}</th>
            <th scope="col">{t('pricing.saving')}</th>
            <th scope="col" className={local.wideOnly}>
              {t('pricing.total')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('pricing.act')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {screenRules()
            .priceList(offer)
            .map((row) => (
              <tr key={row.MinGigabytes}>
                <th scope="row">{t('pricing.fromGb', { Count: row.MinGigabytes })}</th>
                <td>
                  <strong>
                    <PriceText listPrice={row.Price} currency={currency} basisPoints={discount} />
                  </strong>
                </td>
                <td className={local.saving}>
                  {row.SavingBasisPoints > 0 ? core().displayPercent(row.SavingBasisPoints) : '–'}
                </td>
                <td className={local.wideOnly}>
                  <PriceText listPrice={row.Total} currency={currency} basisPoints={discount} />
                </td>
                <td>
                  <ButtonLink
                    to={orderAddress(row.MinGigabytes, offer.PeriodDays)}
                    size="small"
                    label={t('pricing.order', { Count: row.MinGigabytes })}
                  >
                    {t('pricing.act')}
                  </ButtonLink>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </Card>
  );
}
