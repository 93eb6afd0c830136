// Creates or edits an API key: name, scopes, allowed addresses and expiry.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { type ApiKeyForm, account } from '@/core';
import { MAX_KEY_ADDRESSES } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { TextAreaField, TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { fieldOnWire, nowOnWire, shownInField } from '@/ui/wireTime';
import s from '../account.module.css';
import { useForm } from '../useForm';
import { ExpiryField } from './ExpiryField';
import { ScopesField } from './ScopesField';

type ApiKey = Schemas['ApiKeyView'];

interface KeyDialogProps {
  /** The key to edit; undefined to create one. */
  apiKey?: ApiKey | undefined;
  onClose: () => void;
  onAdded: (added: Schemas['ApiKeyWithSecret']) => void;
  onChanged: () => void;
}

/** One address or network per line, or separated by commas. */
const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

export function KeyDialog({ apiKey, onClose, onAdded, onChanged }: KeyDialogProps) {
  const { t } = useTranslation(['account', 'common']);
  const formId = useId();
  const form = useForm();
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const [name, setName] = useState(apiKey?.Name ?? '');
  const [scopes, setScopes] = useState(apiKey?.Scopes ?? []);
  const [addresses, setAddresses] = useState(apiKey?.Addresses.join('\n') ?? '');
  const [expires, setExpires] = useState(shownInField(apiKey?.ExpiresAt ?? undefined));
  const asked: ApiKeyForm = {
    Name: name,
    Scopes: scopes,
    Addresses: linesOf(addresses),
    ExpiresAt: fieldOnWire(expires),
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    const broken = account().validateApiKey(asked, level, nowOnWire());
    if (apiKey) {
      const edited = { ...asked, ApiKeyId: apiKey.ApiKeyId };
      return form.submit(event, {
        broken,
        asked: edited,
        send: (options) => post('ApiKeys/EditApiKey', edited, options),
        onDone: () => {
          showToast(t('keys.saved'), 'success');
          onChanged();
          onClose();
        },
      });
    }
    return form.submit(event, {
      broken,
      asked,
      send: (options) => post('ApiKeys/AddApiKey', asked, options),
      onDone: onAdded,
    });
  };
  const address = form.bind('Addresses', addresses, setAddresses);
  // Prefixes the error with the address that it is about.
  const wrongAddress = asked.Addresses?.map((text, at) => [text, form.errors.textOf(`Addresses.${at}`)]).find(
    ([, wrong]) => wrong,
  );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={apiKey ? t('keys.editTitle', { Name: apiKey.Name }) : t('keys.addTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={form.isBusy}>
            {apiKey ? t('common:save') : t('keys.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
        <TextField
          label={t('keys.name')}
          hint={t('keys.nameHint')}
          autoComplete="off"
          {...form.bind('Name', name, setName)}
        />
        <ScopesField
          value={scopes}
          error={form.errors.textOf('Scopes')}
          onChange={(chosen) => {
            form.errors.clear('Scopes');
            setScopes(chosen);
          }}
        />
        <TextAreaField
          label={t('keys.addresses')}
          hint={t('keys.addressesHint', { Max: MAX_KEY_ADDRESSES })}
          rows={3}
          spellCheck={false}
          autoComplete="off"
          {...address}
          error={
            address.error ?? (wrongAddress && t('common:labelled', { Label: wrongAddress[0], Value: wrongAddress[1] }))
          }
          onChange={(event) => {
            form.errors.set({});
            setAddresses(event.target.value);
          }}
        />
        <ExpiryField {...form.bind('ExpiresAt', expires, setExpires)} isNew={!apiKey} />
        {form.message && <Notice tone="bad">{form.message}</Notice>}
      </form>
    </Dialog>
  );
}
