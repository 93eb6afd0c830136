// Form with the account's details, shared by the billing and account screens. Uses the billing texts.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Details, detailsQuery } from '@/api/account';
import type { Sender } from '@/api/useCall';
import { screenRules } from '@/core';
import { FAMILY_NAME_FIRST } from '@/core/constants.gen';
import { countriesByName } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { SelectField, TextField } from '../Field';
import s from './details.module.css';

/** Initial values, not read again afterwards, and the rules of the form. */
export const useDetails = () => useQuery(detailsQuery);

interface DetailsFormProps {
  id: string;
  details: Details;
  /** Includes the fields that are not on invoices: telephone, website, messenger. */
  withContact?: boolean;
  call: Pick<Sender<Details, unknown>, 'bind' | 'submit'>;
  onSaved: () => void;
}

export function DetailsForm({ id, details, withContact, call, onSaved }: DetailsFormProps) {
  const { t } = useTranslation('billing');
  const [typed, setTyped] = useState(details);
  const countries = countriesByName(currentLanguage());
  const bind = (field: keyof Details) =>
    call.bind(field, typed[field], (value) => setTyped({ ...typed, [field]: value }));
  const save = (event: FormEvent<HTMLFormElement>) =>
    call.submit(event, { broken: screenRules().validateAccountDetails(typed), body: typed, onDone: onSaved });
  const familyNameFirst = FAMILY_NAME_FIRST.includes(currentLanguage());
  const lastName = <TextField label={t('details.lastName')} autoComplete="family-name" {...bind('LastName')} />;
  return (
    <form id={id} className={s.form} onSubmit={save} noValidate>
      <TextField label={t('details.company')} autoComplete="organization" {...bind('CompanyName')} />
      <div className={s.pair}>
        {familyNameFirst && lastName}
        <TextField label={t('details.firstName')} autoComplete="given-name" {...bind('FirstName')} />
        {!familyNameFirst && lastName}
      </div>
      <TextField label={t('details.address')} autoComplete="street-address" {...bind('Address')} />
      <div className={s.pair}>
        <TextField label={t('details.postalCode')} autoComplete="postal-code" {...bind('PostalCode')} />
        <TextField label={t('details.city')} autoComplete="address-level2" {...bind('City')} />
      </div>
      <SelectField label={t('details.country')} autoComplete="country" {...bind('Country')}>
        <option value="">{t('details.noCountry')}</option>
        {countries.map((country) => (
          <option key={country.code} value={country.code}>
            {country.name}
          </option>
        ))}
      </SelectField>
      <TextField label={t('details.taxNumber')} {...bind('TaxNumber')} />
      {withContact && (
        <>
          <div className={s.pair}>
            <TextField label={t('details.phone')} type="tel" autoComplete="tel" {...bind('Phone')} />
            <TextField label={t('details.messenger')} autoComplete="off" {...bind('Messenger')} />
          </div>
          <TextField label={t('details.website')} type="url" autoComplete="url" {...bind('Website')} />
        </>
      )}
    </form>
  );
}
