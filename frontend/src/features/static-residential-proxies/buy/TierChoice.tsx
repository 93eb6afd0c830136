// The choice of a tier on sale, with its price for the account.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { useResellerDiscount } from '@/stores/user';
import { Notice } from '@/ui/Notice';
import { PriceText } from '@/ui/texts';
import { useTierLimits, useTierTexts } from '../tierTexts';
import local from './buy.module.css';
import { soldTiers } from './soldTiers';

interface TierChoiceProps {
  catalogue: Schemas['Catalogue'];
  /** None of them is chosen if it is no longer on sale. */
  verStr: string;
  /** Why the chosen one cannot be ordered. */
  error: string | undefined;
  onChange: (verStr: string) => void;
}

export function TierChoice({ catalogue, verStr, error, onChange }: TierChoiceProps) {
  const { t } = useTranslation('static_residential_proxies');
  const texts = useTierTexts();
  const limitsOf = useTierLimits();
  const discount = useResellerDiscount();
  return (
    <>
      <fieldset className={local.tierChoices}>
        <legend className="visually-hidden">{t('order.tier')}</legend>
        {soldTiers(catalogue).map((tier) => {
          const { label, desc } = texts(tier);
          const limits = limitsOf(tier.VerStr);
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
                {limits && <small>{t('limitsPerIp', { Limits: limits })}</small>}
              </span>
            </label>
          );
        })}
      </fieldset>
      {error && <Notice tone="bad">{error}</Notice>}
    </>
  );
}
