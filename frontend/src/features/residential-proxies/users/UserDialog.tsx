// Creates or edits a proxy user.
import { type FormEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addProxyUser, editProxyUser, type LimitCycle, type ProxyUserForm, type ProxyUserView } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { DateTimeField } from '@/ui/DateTimeField';
import { PasswordField, SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { fieldOnWire, nowOnWire, shownInField } from '@/ui/wireTime';
import { CountriesField } from './CountriesField';
import { NewPassword } from './PasswordDialog';
import s from './users.module.css';

const CYCLES: LimitCycle[] = ['none', 'day', 'week', 'month'];

const formOf = (user: ProxyUserView | undefined): ProxyUserForm => ({
  Name: user?.Name ?? '',
  Password: '',
  Note: user?.Note ?? '',
  LimitGigabytes: user?.LimitBytes ? core().formatGigabytes(user.LimitBytes) : '',
  LimitCycle: user?.LimitCycle ?? 'none',
  ExpiresAt: shownInField(user?.ExpiresAt ?? undefined),
  Countries: user?.Countries ?? [],
  MaxConnections: String(user?.MaxConnections ?? ''),
  MaxMegabits: String(user?.MaxMegabits ?? ''),
});

export function UserDialog({ user, onClose }: { user?: ProxyUserView | undefined; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const add = useCall(addProxyUser);
  const edit = useCall(editProxyUser);
  const { bind, errors } = user ? edit : add;
  const { clear } = errors;
  const [form, setForm] = useState(() => formOf(user));
  const setCountries = useCallback(
    (Countries: string[]) => {
      clear('Countries');
      setForm((now) => ({ ...now, Countries }));
    },
    [clear],
  );
  const field = (name: Exclude<keyof ProxyUserForm, 'Countries'>) =>
    bind(name, form[name], (typed) => setForm((now) => ({ ...now, [name]: typed })));

  const save = (event: FormEvent<HTMLFormElement>) => {
    // The field has no seconds: an unchanged expiry keeps its own.
    const isSameExpiry = form.ExpiresAt === shownInField(user?.ExpiresAt ?? undefined) && user?.ExpiresAt;
    const body: ProxyUserForm = {
      ...form,
      LimitCycle: form.LimitGigabytes.trim() ? form.LimitCycle : 'none',
      ExpiresAt: fieldOnWire(isSameExpiry || form.ExpiresAt),
    };
    const broken = screenRules().validateProxyUser(body, nowOnWire());
    // An unchanged expiry may be in the past; a new one must be in the future.
    if (isSameExpiry) delete broken.ExpiresAt;
    if (!user) return add.submit(event, { broken, body });
    const { Password: _, ...changed } = body;
    const onDone = () => {
      showToast(t('form.saved', { Name: body.Name.trim() }), 'success');
      onClose();
    };
    return edit.submit(event, { broken, body: { ProxyUserId: user.ProxyUserId, ...changed }, onDone });
  };

  if (add.answer) {
    const { Name } = add.answer.ProxyUser;
    return <NewPassword title={t('form.added', { Name })} {...add.answer} onClose={onClose} />;
  }
  return (
    <FormDialog
      call={user ? edit : add}
      title={user ? t('form.editTitle', { Name: user.Name }) : t('form.addTitle')}
      action={user ? t('common:save') : t('form.add')}
      className={s.form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('form.name')}
        hint={user ? t('form.renameHint') : t('form.nameHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        {...field('Name')}
      />
      {!user && (
        <PasswordField
          label={t('form.password')}
          hint={t('form.passwordHint')}
          autoComplete="new-password"
          {...field('Password')}
        />
      )}
      <div className={s.columns}>
        <TextField
          label={t('form.limit')}
          hint={t('form.limitHint')}
          inputMode="decimal"
          autoComplete="off"
          {...field('LimitGigabytes')}
        />
        <SelectField
          label={t('form.cycle')}
          hint={form.LimitGigabytes.trim() ? undefined : t('form.cycleHint')}
          {...field('LimitCycle')}
          disabled={!form.LimitGigabytes.trim()}
          value={form.LimitGigabytes.trim() ? form.LimitCycle : 'none'}
        >
          {CYCLES.map((cycle) => (
            <option key={cycle} value={cycle}>
              {t(`cycle.${cycle}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className={s.columns}>
        <TextField
          label={t('form.connections')}
          hint={t('form.perServerHint')}
          inputMode="numeric"
          autoComplete="off"
          {...field('MaxConnections')}
        />
        <TextField
          label={t('form.bandwidth')}
          hint={t('form.perServerHint')}
          inputMode="numeric"
          autoComplete="off"
          {...field('MaxMegabits')}
        />
      </div>
      <DateTimeField label={t('form.expires')} hint={t('form.expiresHint')} {...field('ExpiresAt')} />
      <CountriesField value={form.Countries} error={errors.textOf('Countries')} onChange={setCountries} />
      <TextField label={t('form.note')} autoComplete="off" {...field('Note')} />
    </FormDialog>
  );
}
