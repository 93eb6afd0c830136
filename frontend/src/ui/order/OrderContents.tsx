// Contents of an order: lines, discounts and total.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { TRAFFIC_PRODUCT } from '@/core/constants.gen';
import { isPositive } from '@/core/money';
import { currentLanguage } from '@/i18n';
import { Flag } from '../Flag';
import { Card } from '../Page';
import { MoneyText, placeText, useName, useNumber } from '../texts';
import { useDiscountText } from './contents';
import s from './order.module.css';

export function OrderContents({ order }: { order: Schemas['OrderView'] }) {
  const { t } = useTranslation('orders');
  const number = useNumber();
  const discountText = useDiscountText();
  return (
    <Card title={t('contents')}>
      <table className={s.lines}>
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            <th scope="col">{t('quantity')}</th>
            <th scope="col">{t('amount')}</th>
          </tr>
        </thead>
        <tbody>
          {order.Lines.map((line) => (
            <tr key={line.City ?? line.VerStr}>
              <td>
                <Item line={line} />
              </td>
              <td>
                {line.VerStr === TRAFFIC_PRODUCT ? t('gigabytes', { Count: line.Quantity }) : number(line.Quantity)}
              </td>
              <td>
                <MoneyText amount={line.Amount} currency={order.Currency} />
              </td>
            </tr>
          ))}
          {order.Lines.length === 0 && (
            <tr>
              <td>{t('walletTopUp')}</td>
              <td>1</td>
              <td>
                <MoneyText amount={order.Subtotal} currency={order.Currency} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          {order.Discounts.map((discount) => (
            <tr key={discount.Kind}>
              <th scope="row" colSpan={2}>
                {discountText(discount, discount.Kind === 'coupon' ? (order.Coupon ?? '') : '')}
              </th>
              <td>
                −<MoneyText amount={discount.Amount} currency={order.Currency} />
              </td>
            </tr>
          ))}
          <tr className={s.sum}>
            <th scope="row" colSpan={2}>
              {t('total')}
            </th>
            <td>
              <MoneyText amount={order.Total} currency={order.Currency} />
            </td>
          </tr>
          {isPositive(order.Refunded) && (
            <tr>
              <th scope="row" colSpan={2}>
                {t('refunded')}
              </th>
              <td>
                −<MoneyText amount={order.Refunded} currency={order.Currency} />
              </td>
            </tr>
          )}
        </tfoot>
      </table>
    </Card>
  );
}

/** Label of a line: IPs of a city, IPs of a tier without a city, or traffic. */
function Item({ line }: { line: Schemas['OrderLineView'] }) {
  const { t } = useTranslation('orders');
  const name = useName();
  const label = name({ en: line.LabelEn, zh: line.LabelZh });
  if (line.VerStr === TRAFFIC_PRODUCT) return label;
  if (!line.Country || !line.City) return t('ofTier', { Tier: label });
  return (
    <span className={s.place}>
      <Flag country={line.Country} />
      <PlaceName
        city={core().cityName(line.City, currentLanguage())}
        country={core().countryName(line.Country, currentLanguage())}
      />
    </span>
  );
}

/** On phones the flag alone shows the country, so that the name fits in a line. */
function PlaceName({ city, country }: { city: string; country: string }) {
  const place = placeText(city, country);
  const start = place.indexOf(city);
  return (
    <span>
      <span className={s.country}>{place.slice(0, start)}</span>
      {city}
      <span className={s.country}>{place.slice(start + city.length)}</span>
    </span>
  );
}
