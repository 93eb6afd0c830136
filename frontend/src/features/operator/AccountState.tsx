// Suspends an account with a reason for other operators, or reactivates it.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { operatorCore } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './accounts.module.css';

export function AccountState({ account }: { account: Schemas['Account'] }) {
  const { t } = useTranslation('accounts');
  const queryClient = useQueryClient();
  const fields = useFieldErrors();
  const once = useIdempotentCall();
  const [reason, setReason] = useState('');
  const isSuspended = account.State === 'suspended';
  const set = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy || (!isSuspended && !fields.passes(operatorCore().validateSuspension(reason)))) return;
    const state: Schemas['AccountState'] = isSuspended ? 'active' : 'suspended';
    const body = { AccountId: account.AccountId, State: state, Reason: reason };
    try {
      const saved = await once.send(body, (options) => post('Operator/SetAccountState', body, options));
      queryClient.setQueryData(['account', account.AccountId], saved);
      queryClient.invalidateQueries({ queryKey: ['accounts'] });
      setReason('');
      showToast(t(isSuspended ? 'standing.reactivated' : 'standing.suspended', { Email: account.Email }), 'success');
    } catch (error) {
      fields.takeFrom(error);
    }
  };
  return (
    <form className={s.section} onSubmit={set} noValidate>
      <h3>{t('standing.title')}</h3>
      <p className={s.soft}>{t(isSuspended ? 'standing.isSuspended' : 'standing.isActive')}</p>
      <TextField
        label={t('standing.reason')}
        hint={t(isSuspended ? 'standing.optional' : 'standing.reasonHint')}
        autoComplete="off"
        value={reason}
        error={fields.textOf('Reason')}
        onChange={(event) => {
          fields.clear('Reason');
          setReason(event.target.value);
        }}
      />
      <div>
        <Button type="submit" variant={isSuspended ? 'secondary' : 'danger'} loading={once.isBusy}>
          {t(isSuspended ? 'standing.reactivate' : 'standing.suspend')}
        </Button>
      </div>
    </form>
  );
}
