// The choice of a tier, with its price for the account.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useResellerDiscount } from '@/stores/user';
import { PriceText } from '@/ui/texts';
import { useTierTexts } from '../tierTexts';
import local from './buy.module.css';

interface TierChoiceProps {
  catalogue: Schemas['Catalogue'];
  verStr: string;
  onChange: (verStr: string) => void;
}

export function TierChoice({ catalogue, verStr, onChange }: TierChoiceProps) {
  const { t } = useTranslation('static_residential_proxies');
  const texts = useTierTexts();
  const discount = useResellerDiscount();
  return (
    <fieldset className={local.tierChoices}>
      <legend className="visually-hidden">{t('order.tier')}</legend>
      {catalogue.Tiers.map((tier) => {
        const { label, desc } = texts(tier);
        return (
          <label key={tier.VerStr} className={local.tierChoice}>
            <input type="radio" name="tier" checked={tier.VerStr === verStr} onChange={() => onChange(tier.VerStr)} />
            <span>
              <strong>{label}</strong>
              <em>
                <PriceText listPrice={tier.Price} currency={catalogue.Currency} basisPoints={discount} />{' '}
                {t('pricing.unit', { Days: PRICE_PERIOD_DAYS })}
              </em>
              <small>{desc}</small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
