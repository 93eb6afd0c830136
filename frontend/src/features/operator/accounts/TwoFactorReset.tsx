// Turns off the second factor of a customer who can no longer use it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { turnOffTwoFactorOf } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

interface TwoFactorResetProps {
  account: Schemas['Account'];
}

export function TwoFactorReset({ account }: TwoFactorResetProps) {
  const { t } = useTranslation('accounts');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('twoFactor.title')}>
      <div className={s.form}>
        <p className={s.soft}>{t('twoFactor.lead')}</p>
        <div>
          <Button variant="danger" onClick={() => setOpen(true)}>
            {t('twoFactor.turnOff')}
          </Button>
        </div>
      </div>
      {isOpen && <ResetDialog account={account} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ResetDialog({ account, onClose }: TwoFactorResetProps & { onClose: () => void }) {
  const { t } = useTranslation('accounts');
  const call = useCall(turnOffTwoFactorOf);
  const [reason, setReason] = useState('');
  const onDone = () => {
    showToast(t('twoFactor.done', { Email: account.Email }), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('twoFactor.turnOff')}
      action={t('twoFactor.submit')}
      danger
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          // One rule for all reasons that only operators see.
          broken: screenRules().validateReason(reason),
          body: { AccountId: account.AccountId, Reason: reason },
          onDone,
        })
      }
      onClose={onClose}
    >
      <p>{t('twoFactor.hint', { Email: account.Email })}</p>
      <TextField
        label={t('twoFactor.reason')}
        hint={t('twoFactor.reasonHint')}
        autoComplete="off"
        {...call.bind('Reason', reason, setReason)}
      />
    </FormDialog>
  );
}
