// Fields for custom credentials, and how long the old ones stay valid; for a plan or selected IPs.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { core } from '@/core';
import { KEEP_OLD_HOURS } from '@/core/constants.gen';
import { SelectField, TextField } from '@/ui/Field';
import type { useFieldErrors } from '@/ui/form';

/** Values, and the request body; the errors are those of the call. */
export function useCredentials(errors: ReturnType<typeof useFieldErrors>, firstUserName = '') {
  const [userName, setUserName] = useState(firstUserName);
  const [password, setPassword] = useState('');
  const [keepOldHours, setKeepOldHours] = useState(24);
  const account = { UserName: userName.trim(), Password: password };
  return {
    account,
    keepOldHours,
    setKeepOldHours,
    isEmpty: account.UserName === '' && password === '',
    broken: () => core().validateNodeAccount(account),
    fields: [
      { name: 'UserName', label: 'credentials.userName', value: userName, set: setUserName },
      { name: 'Password', label: 'credentials.password', value: password, set: setPassword },
    ] as const,
    errors,
  };
}

type Credentials = ReturnType<typeof useCredentials>;

export function CredentialFields({ credentials }: { credentials: Credentials }) {
  const { t } = useTranslation('static_residential_proxies');
  const { fields, errors } = credentials;
  return fields.map(({ name, label, value, set }) => (
    <TextField
      key={name}
      label={t(label)}
      error={errors.textOf(name)}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => {
        errors.clear(name);
        set(event.target.value);
      }}
    />
  ));
}

/** How long the old credentials stay valid. */
export function KeepOldField({ credentials }: { credentials: Credentials }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <SelectField
      label={t('credentials.keepOld')}
      hint={t('credentials.keepOldHint')}
      value={credentials.keepOldHours}
      onChange={(event) => credentials.setKeepOldHours(Number(event.target.value))}
    >
      {KEEP_OLD_HOURS.map((hours) => (
        <option key={hours} value={hours}>
          {hours === 0 ? t('credentials.stopImmediately') : t('hours', { count: hours })}
        </option>
      ))}
    </SelectField>
  );
}
