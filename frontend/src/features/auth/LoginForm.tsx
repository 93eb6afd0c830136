// Signing in.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { PasswordField, TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { FaceLink, useTyped } from './AuthPage';
import s from './auth.module.css';
import { useSubmit } from './useSubmit';

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const { fields, isBusy, message, onSubmit } = useSubmit(
    (core) => core.validateLogin({ Email: email, Password: password }),
    async () => {
      useUserStore.getState().signIn(await post('User/Login', { Email: email, Password: password }));
      onSignedIn();
    },
  );
  return (
    <form className={s.form} onSubmit={onSubmit} noValidate>
      <h1>{t('login.title')}</h1>
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        error={fields.textOf('Email')}
        onChange={(event) => {
          setEmail(event.target.value);
          fields.clear('Email');
        }}
      />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        value={password}
        error={fields.textOf('Password')}
        onChange={(event) => {
          setPassword(event.target.value);
          fields.clear('Password');
        }}
      />
      {message && <Notice tone="bad">{message}</Notice>}
      <Button type="submit" variant="primary" size="large" wide loading={isBusy}>
        {t('login.submit')}
      </Button>
      <p className={s.links}>
        <FaceLink to="/password-reset">{t('login.forgot')}</FaceLink>
        <span>
          {t('login.noAccount')} <FaceLink to="/sign-up">{t('login.signUp')}</FaceLink>
        </span>
      </p>
    </form>
  );
}
