// Suspends an account with a reason for other operators, or reactivates it.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAccountState } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

export function AccountState({ account }: { account: Schemas['Account'] }) {
  const { t } = useTranslation('accounts');
  const call = useCall(setAccountState);
  const [reason, setReason] = useState('');
  const isSuspended = account.State === 'suspended';
  const set = (event: FormEvent<HTMLFormElement>) =>
    call.submit(event, {
      broken: isSuspended ? {} : screenRules().validateReason(reason),
      body: { AccountId: account.AccountId, State: isSuspended ? 'active' : 'suspended', Reason: reason },
      onDone: () => {
        setReason('');
        showToast(t(isSuspended ? 'standing.reactivated' : 'standing.suspended', { Email: account.Email }), 'success');
      },
    });
  return (
    <Card title={t('standing.title')}>
      <form className={s.form} onSubmit={set} noValidate>
        <p className={s.soft}>{t(isSuspended ? 'standing.isSuspended' : 'standing.isActive')}</p>
        <TextField
          label={t('standing.reason')}
          hint={t(isSuspended ? 'standing.optional' : 'standing.reasonHint')}
          autoComplete="off"
          {...call.bind('Reason', reason, setReason)}
        />
        <div>
          <Button type="submit" variant={isSuspended ? 'secondary' : 'danger'} loading={call.isBusy}>
            {t(isSuspended ? 'standing.reactivate' : 'standing.suspend')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
