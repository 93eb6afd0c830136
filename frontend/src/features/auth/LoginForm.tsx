// Signing in.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { PasswordField, TextField } from '@/ui/Field';
import { AuthForm } from './AuthForm';
import { FaceLink, useTyped } from './faces';
import { useSubmit } from './useSubmit';

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const { form, field } = useSubmit(
    (core) => core.validateLogin({ Email: email, Password: password }),
    async () => {
      const login = { Email: email, Password: password, DeviceId: deviceId() };
      useUserStore.getState().signIn(await post('User/Login', login));
      onSignedIn();
    },
  );
  return (
    <AuthForm
      title={t('login.title')}
      submit={t('login.submit')}
      form={form}
      links={
        <>
          <FaceLink to="/password-reset">{t('login.forgot')}</FaceLink>
          <span>
            {t('login.noAccount')} <FaceLink to="/sign-up">{t('login.signUp')}</FaceLink>
          </span>
        </>
      }
    >
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        autoFocus
        {...field('Email', email, setEmail)}
      />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        {...field('Password', password, setPassword)}
      />
    </AuthForm>
  );
}
