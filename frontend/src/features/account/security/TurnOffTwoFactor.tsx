// Turns two-factor authentication off, with the password and a code.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { account } from '@/core';
import { PasswordField } from '@/ui/Field';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';
import { CodeField } from '../CodeField';
import { FormDialog } from '../FormDialog';
import { useRefreshed } from '../queries';
import { useForm } from '../useForm';

export function TurnOffTwoFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const form = useForm();
  const refreshed = useRefreshed();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const asked = { Password: password, Code: code };
  return (
    <FormDialog
      form={form}
      title={t('twoFactor.turnOffTitle')}
      action={t('twoFactor.turnOff')}
      danger
      broken={{ ...account().validateEnteredPassword(password), ...account().validateEnteredCode(code) }}
      asked={asked}
      send={(options) => post('User/TurnOffTwoFactor', asked, options)}
      onDone={() => {
        showToast(t('twoFactor.isOff'), 'success');
        refreshed();
        onClose();
      }}
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
