// Turns two-factor authentication off, with the password and a code.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { turnOffTwoFactor } from '@/api/account';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { PasswordField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';
import { CodeField } from '../CodeField';

export function TurnOffTwoFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const form = useCall(turnOffTwoFactor);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const asked = { Password: password, Code: code };
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('twoFactor.turnOffTitle')}
      action={t('twoFactor.turnOff')}
      danger
      onSubmit={(event) =>
        form.submit(event, {
          broken: { ...screenRules().validateEnteredPassword(password), ...screenRules().validateEnteredCode(code) },
          body: asked,
          onDone: () => {
            showToast(t('twoFactor.isOff'), 'success');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('twoFactor.turnOffHint')}</p>
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        {...form.bind('Password', password, setPassword)}
      />
      <CodeField takesRecovery {...form.bind('Code', code, setCode)} />
    </FormDialog>
  );
}
