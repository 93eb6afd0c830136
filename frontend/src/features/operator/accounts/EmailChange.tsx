// Requests a change of a customer's email address, which the new address confirms and the current one can stop.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { requestEmailChangeOf } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

interface EmailChangeProps {
  account: Schemas['Account'];
}

export function EmailChange({ account }: EmailChangeProps) {
  const { t } = useTranslation('accounts');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('emailChange.title')}>
      <div className={s.form}>
        <p className={s.soft}>{t('emailChange.lead')}</p>
        <div>
          <Button onClick={() => setOpen(true)}>{t('emailChange.open')}</Button>
        </div>
      </div>
      {isOpen && <ChangeDialog account={account} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ChangeDialog({ account, onClose }: EmailChangeProps & { onClose: () => void }) {
  const { t } = useTranslation('accounts');
  const call = useCall(requestEmailChangeOf);
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState('');
  const Email = email.trim();
  return (
    <FormDialog
      call={call}
      title={t('emailChange.open')}
      action={t('emailChange.submit')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: {
            ...screenRules().validateEmailChange(Email, account.Email),
            ...screenRules().validateReason(reason),
          },
          body: { AccountId: account.AccountId, Email, Reason: reason },
          onDone: () => {
            showToast(t('emailChange.done', { Email }), 'success');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p className={s.wraps}>{t('emailChange.how', { Email: account.Email })}</p>
      <TextField
        label={t('emailChange.new')}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...call.bind('Email', email, setEmail)}
      />
      <TextField
        label={t('emailChange.reason')}
        hint={t('emailChange.reasonHint')}
        autoComplete="off"
        {...call.bind('Reason', reason, setReason)}
      />
    </FormDialog>
  );
}
