// Allowed countries of a proxy user: searchable checkboxes, and the selected ones as tags.
import { X } from '@phosphor-icons/react';
import { memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { core } from '@/core';
import { countriesByName } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { SearchField } from '@/ui/Controls';
import { Flag } from '@/ui/Flag';
import s from './users.module.css';

interface CountriesFieldProps {
  value: string[];
  error: string | undefined;
  onChange: (codes: string[]) => void;
}

/** Memoized: the list is long, and the form re-renders with every keystroke. */
export const CountriesField = memo(function CountriesField({ value, error, onChange }: CountriesFieldProps) {
  const { t } = useTranslation('proxy_users');
  const noteId = useId();
  const language = currentLanguage();
  const [search, setSearch] = useState('');
  const countries = countriesByName(language);
  const text = search.trim().toLowerCase();
  const found = countries.filter(({ code, name }) => `${name} ${code}`.toLowerCase().includes(text));
  const without = (code: string) => value.filter((one) => one !== code);
  return (
    <fieldset className={s.countriesField} aria-describedby={noteId}>
      <legend>{t('form.countries')}</legend>
      {value.length > 0 && (
        <div className={s.chips}>
          {value.map((code) => {
            const name = core().countryName(code, language);
            return (
              <Button
                key={code}
                size="small"
                aria-label={t('form.removeCountry', { Country: name })}
                onClick={() => onChange(without(code))}
              >
                <Flag country={code} />
                {name}
                <X size={13} aria-hidden="true" />
              </Button>
            );
          })}
        </div>
      )}
      <SearchField
        label={t('form.searchCountry')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        // Enter searches; it does not submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className={s.countryList}>
        {found.map(({ code, name }) => (
          <li key={code}>
            <label>
              <input
                type="checkbox"
                checked={value.includes(code)}
                onChange={(event) => onChange(event.target.checked ? [...value, code] : without(code))}
              />
              <Flag country={code} />
              {name}
            </label>
          </li>
        ))}
        {found.length === 0 && <li className={s.soft}>{t('form.noCountry')}</li>}
      </ul>
      <div id={noteId} className={error ? s.wrong : s.note} role={error ? 'alert' : undefined}>
        {error ?? t('form.countriesHint')}
      </div>
    </fieldset>
  );
});
