// The link of a sign-up email: the password of the sign-up creates the account and signs in. Opening the link alone changes nothing.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { PasswordField } from '@/ui/Field';
import { AuthForm } from './AuthForm';
import { FormLink } from './forms';
import { useSubmit } from './useSubmit';

export function ConfirmLink({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const { form, field } = useSubmit(
    () => ({}),
    async () => {
      const confirmed = { VerifyToken: token, Password: password, DeviceId: deviceId() };
      useUserStore.getState().signIn(await post('User/VerifyEmail', confirmed));
      onSignedIn();
    },
  );
  return (
    <AuthForm
      title={t('confirm.title')}
      submit={t('confirm.submit')}
      form={form}
      links={
        <>
          <FormLink to="/login">{t('backToLogin')}</FormLink>
          <FormLink to="/sign-up">{t('confirm.again')}</FormLink>
        </>
      }
    >
      <p>{t('confirm.hint')}</p>
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        autoFocus
        {...field('Password', password, setPassword)}
      />
    </AuthForm>
  );
}
