// Amount of traffic: presets at the price steps, a slider, and an exact field, kept in sync.
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Currency, core, screenRules, type TrafficOffer } from '@/core';
import { useResellerDiscount } from '@/stores/user';
import { TextField } from '@/ui/Field';
import local from './buy.module.css';

interface AmountPickerProps {
  offer: TrafficOffer;
  currency: Currency;
  /** The value as typed. */
  value: string;
  /** The typed amount, if valid. */
  gigabytes: number | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function AmountPicker({ offer, currency, value, gigabytes, error, onChange }: AmountPickerProps) {
  const { t } = useTranslation('residential_buy');
  const name = useId();
  const discount = useResellerDiscount();
  const stops = useMemo(() => Array.from(screenRules().sliderStops(offer)), [offer]);
  const position = gigabytes === undefined ? 0 : screenRules().stopOf(offer, gigabytes);
  const price = (listPrice: string) =>
    core().displayMoney(discount > 0 ? core().resellerPrice(listPrice, discount) : listPrice, currency);
  return (
    <div className={local.amount}>
      <fieldset className={local.presets}>
        <legend className="visually-hidden">{t('order.presets')}</legend>
        {offer.Steps.map((step) => (
          <label key={step.MinGigabytes} className={local.preset}>
            <input
              type="radio"
              name={name}
              checked={gigabytes === step.MinGigabytes}
              onChange={() => onChange(String(step.MinGigabytes))}
            />
            <span>
              <strong>{t('order.gb', { Count: step.MinGigabytes })}</strong>
              <small>{t('order.presetPrice', { Price: price(step.Price) })}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={local.exact}>
        <input
          type="range"
          className={local.slider}
          aria-label={t('order.slider')}
          aria-valuetext={gigabytes === undefined ? undefined : t('order.gb', { Count: gigabytes })}
          min={0}
          max={stops.length - 1}
          value={position}
          style={{ '--share': `${(100 * position) / Math.max(1, stops.length - 1)}%` } as React.CSSProperties}
          onChange={(event) => onChange(String(stops[Number(event.target.value)] ?? ''))}
        />
        <TextField
          label={t('order.gigabytes')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          value={value}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <p className={local.soft}>{t('unit')}</p>
    </div>
  );
}
