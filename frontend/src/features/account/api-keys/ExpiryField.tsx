// Expiry of a key: after a duration, at a given time, or never.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '@/i18n';
import { DateTimeField } from '@/ui/DateTimeField';
import { SelectField } from '@/ui/Field';
import { lengthsOfTime } from '@/ui/texts';
import { fieldInDays } from '@/ui/wireTime';
import s from './api-keys.module.css';

interface ExpiryFieldProps {
  /** Value of a date and time field; empty for never. */
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
  /** Durations are offered for new keys only; an existing key has a time. */
  isNew: boolean;
}

const DAYS = [30, 90, 365];
const MINUTES_A_DAY = 1_440;
const NEVER = 'never';
const AT = 'at';

export function ExpiryField({ value, error, onChange, isNew }: ExpiryFieldProps) {
  const { t } = useTranslation('account');
  const [choice, setChoice] = useState(value ? AT : NEVER);
  const set = (time: string) => onChange({ target: { value: time } });
  const choose = (chosen: string) => {
    setChoice(chosen);
    if (chosen === NEVER) set('');
    else if (chosen !== AT) set(fieldInDays(Number(chosen)));
  };
  return (
    <div className={s.expiry}>
      <SelectField
        label={t('keys.expiry')}
        hint={choice === NEVER ? t('keys.neverHint') : t('keys.expiryHint')}
        error={choice === AT ? undefined : error}
        value={choice}
        onChange={(event) => choose(event.target.value)}
      >
        {isNew &&
          DAYS.map((days) => (
            <option key={days} value={days}>
              {t('keys.in', { Time: lengthsOfTime([days * MINUTES_A_DAY], currentLanguage()) })}
            </option>
          ))}
        <option value={AT}>{t('keys.at')}</option>
        <option value={NEVER}>{t('keys.never')}</option>
      </SelectField>
      {choice === AT && (
        <DateTimeField
          label={t('keys.time')}
          value={value}
          error={error}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </div>
  );
}
