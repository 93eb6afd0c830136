// Choosing a new password with the mailed link.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { PasswordField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { FaceLink } from './AuthPage';
import s from './auth.module.css';
import { useSubmit } from './useSubmit';

export function NewPasswordForm({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const { fields, isBusy, message, onSubmit } = useSubmit(
    (core) => core.validateResetPassword(password),
    async () => {
      useUserStore.getState().signIn(await post('User/ResetPassword', { ResetToken: token, Password: password }));
      onSignedIn();
    },
  );
  return (
    <form className={s.form} onSubmit={onSubmit} noValidate>
      <h1>{t('newPassword.title')}</h1>
      <PasswordField
        label={t('newPassword.label')}
        autoComplete="new-password"
        hint={t('passwordHint')}
        value={password}
        error={fields.textOf('Password')}
        onChange={(event) => {
          setPassword(event.target.value);
          fields.clear('Password');
        }}
      />
      {message && <Notice tone="bad">{message}</Notice>}
      <Button type="submit" variant="primary" size="large" wide loading={isBusy}>
        {t('newPassword.submit')}
      </Button>
      <p className={s.links}>
        <FaceLink to="/password-reset">{t('newPassword.another')}</FaceLink>
      </p>
    </form>
  );
}
