// Creates or edits an API key: name, scopes, allowed addresses and expiry.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addApiKey, editApiKey } from '@/api/account';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { type ApiKeyForm, screenRules } from '@/core';
import { MAX_KEY_ADDRESSES } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';
import { TextAreaField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { fieldOnWire, nowOnWire, shownInField } from '@/ui/wireTime';
import s from '../account.module.css';
import { ExpiryField } from './ExpiryField';
import { ScopesField } from './ScopesField';

type ApiKey = Schemas['ApiKeyView'];

interface KeyDialogProps {
  /** The key to edit; undefined to create one. */
  apiKey?: ApiKey | undefined;
  onClose: () => void;
  onAdded: (added: Schemas['ApiKeyWithSecret']) => void;
}

/** One address or network per line, or separated by commas. */
const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

export function KeyDialog({ apiKey, onClose, onAdded }: KeyDialogProps) {
  const { t } = useTranslation(['account', 'common']);
  const add = useCall(addApiKey);
  const edit = useCall(editApiKey);
  const form = apiKey ? edit : add;
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
    const broken = screenRules().validateApiKey(asked, level, nowOnWire());
    if (!apiKey) return add.submit(event, { broken, body: asked, onDone: onAdded });
    const onDone = () => {
      showToast(t('keys.saved'), 'success');
      onClose();
    };
    return edit.submit(event, { broken, body: { ...asked, ApiKeyId: apiKey.ApiKeyId }, onDone });
  };
  const address = form.bind('Addresses', addresses, setAddresses);
  // Prefixes the error with the address that it is about.
  const wrongAddress = asked.Addresses?.map((text, at) => [text, form.errors.textOf(`Addresses.${at}`)]).find(
    ([, wrong]) => wrong,
  );
  return (
    <FormDialog
      wide
      call={form}
      title={apiKey ? t('keys.editTitle', { Name: apiKey.Name }) : t('keys.addTitle')}
      action={apiKey ? t('common:save') : t('keys.submit')}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
