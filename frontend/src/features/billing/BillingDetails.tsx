// Who the customer is, as on invoices.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './billing.module.css';

type Details = Required<Schemas['AccountDetails']>;

export function BillingDetails({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['billing', 'common']);
  const formId = useId();
  const [isBusy, setBusy] = useState(false);
  const details = useQuery({
    queryKey: ['account-details'],
    queryFn: () => post('User/GetAccountDetails'),
    // A form begins with what is true now, and nobody else reads it.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('details.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={isBusy} disabled={!details.data}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      {details.isError && <ErrorState onRetry={() => details.refetch()} />}
      {details.isPending && <LoadingState rows={6} />}
      {details.data && <Form id={formId} details={details.data as Details} onBusy={setBusy} onSaved={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  id: string;
  details: Details;
  onBusy: (isBusy: boolean) => void;
  onSaved: () => void;
}

function Form({ id, details, onBusy, onSaved }: FormProps) {
  const { t } = useTranslation('billing');
  const errors = useFieldErrors();
  const once = useIdempotentCall();
  const [typed, setTyped] = useState(details);
  const language = currentLanguage();
  const countries = core()
    .countries()
    .map(({ Country: code }) => ({ code, name: core().countryName(code, language) }))
    .sort((one, other) => one.name.localeCompare(other.name, language));
  const bind = (field: keyof Details) => ({
    value: typed[field],
    error: errors.textOf(field),
    onChange: (event: { target: { value: string } }) => {
      errors.clear(field);
      setTyped({ ...typed, [field]: event.target.value });
    },
  });
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (once.isBusy) return;
    if (!errors.passes(core().validateAccountDetails(typed))) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    onBusy(true);
    try {
      await once.send(typed, (options) => post('User/UpdateAccountDetails', typed, options));
      useUserStore
        .getState()
        .loadCenter()
        .catch(() => {});
      showToast(t('details.saved'), 'success');
      onSaved();
    } catch (error) {
      errors.takeFrom(error);
    } finally {
      onBusy(false);
    }
  };
  return (
    <form id={id} className={s.form} onSubmit={save} noValidate>
      <p className={s.soft}>{t('details.lead')}</p>
      <TextField label={t('details.company')} autoComplete="organization" {...bind('CompanyName')} />
      <div className={s.pair}>
        <TextField label={t('details.firstName')} autoComplete="given-name" {...bind('FirstName')} />
        <TextField label={t('details.lastName')} autoComplete="family-name" {...bind('LastName')} />
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
    </form>
  );
}
