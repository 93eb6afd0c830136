// Creates or edits a proxy user.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { LimitCycle, ProxyUserForm, ProxyUserView, ProxyUserWithPassword } from '@/api/proxyUsers';
import { core, residential } from '@/core';
import { Button } from '@/ui/Button';
import { DateTimeField } from '@/ui/DateTimeField';
import { PasswordField, SelectField, TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
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
});

export function UserDialog({ user, onClose }: { user?: ProxyUserView | undefined; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const [form, setForm] = useState(() => formOf(user));
  const [added, setAdded] = useState<ProxyUserWithPassword>();
  const set = (change: Partial<ProxyUserForm>) => {
    for (const field of Object.keys(change)) errors.clear(field);
    setForm((now) => ({ ...now, ...change }));
  };
  const { clear } = errors;
  const latestClear = useRef(clear);
  latestClear.current = clear;
  const setCountries = useCallback((Countries: string[]) => {
    latestClear.current('Countries');
    setForm((now) => ({ ...now, Countries }));
  }, []);
  const field = (name: 'Name' | 'Password' | 'Note' | 'LimitGigabytes' | 'ExpiresAt') => ({
    error: errors.textOf(name),
    value: form[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy) return;
    // The field has no seconds: an unchanged expiry keeps its own.
    const isSameExpiry = form.ExpiresAt === shownInField(user?.ExpiresAt ?? undefined) && user?.ExpiresAt;
    const body: ProxyUserForm = {
      ...form,
      LimitCycle: form.LimitGigabytes.trim() ? form.LimitCycle : 'none',
      ExpiresAt: fieldOnWire(isSameExpiry || form.ExpiresAt),
    };
    const broken = residential().validateProxyUser(body, nowOnWire());
    // An unchanged expiry may be in the past; a new one must be in the future.
    if (isSameExpiry) delete broken.ExpiresAt;
    if (!errors.passes(broken)) return;
    try {
      if (user) {
        const { Password: _, ...changed } = body;
        const edit = { ProxyUserId: user.ProxyUserId, ...changed };
        await once.send(edit, (options) => post('ProxyUsers/EditProxyUser', edit, options));
        showToast(t('form.saved', { Name: body.Name.trim() }), 'success');
        onClose();
      } else {
        setAdded(await once.send(body, (options) => post('ProxyUsers/AddProxyUser', body, options)));
      }
      queryClient.invalidateQueries({ queryKey: ['proxy-users'] });
    } catch (error) {
      errors.takeFrom(error);
    }
  };

  if (added)
    return <NewPassword title={t('form.added', { Name: added.ProxyUser.Name })} {...added} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={user ? t('form.editTitle', { Name: user.Name }) : t('form.addTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {user ? t('common:save') : t('form.add')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={save} noValidate>
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
            error={errors.textOf('LimitCycle')}
            disabled={!form.LimitGigabytes.trim()}
            value={form.LimitGigabytes.trim() ? form.LimitCycle : 'none'}
            onChange={(event) => set({ LimitCycle: event.target.value as LimitCycle })}
          >
            {CYCLES.map((cycle) => (
              <option key={cycle} value={cycle}>
                {t(`cycle.${cycle}`)}
              </option>
            ))}
          </SelectField>
        </div>
        <DateTimeField label={t('form.expires')} hint={t('form.expiresHint')} {...field('ExpiresAt')} />
        <CountriesField value={form.Countries} error={errors.textOf('Countries')} onChange={setCountries} />
        <TextField label={t('form.note')} autoComplete="off" {...field('Note')} />
      </form>
    </Dialog>
  );
}
