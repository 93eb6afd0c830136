// Sets a new password with the emailed link, and says what access ends with it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { PASSWORD_MIN_LENGTH } from '@/core/constants.gen';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { PasswordField } from '@/ui/Field';
import { AuthForm } from './AuthForm';
import s from './auth.module.css';
import { FormLink } from './forms';
import { useSubmit } from './useSubmit';

/** Key of code 3333: the password is changed, but the account has two-factor authentication, so the link alone does not sign in. */
const WANTS_CODE = 'signInWithCode';

export function NewPasswordForm({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const [endsKeys, setEndsKeys] = useState(true);
  const [isChanged, setChanged] = useState(false);
  const { form, field } = useSubmit(
    (core) => core.validateResetPassword(password),
    async () => {
      const reset = { ResetToken: token, Password: password, EndKeys: endsKeys, DeviceId: deviceId() };
      try {
        useUserStore.getState().signIn(await post('User/ResetPassword', reset));
      } catch (error) {
        if (!(error instanceof CallError) || error.data.Key !== WANTS_CODE) throw error;
        setChanged(true);
        return;
      }
      onSignedIn();
    },
  );
  if (isChanged) {
    return (
      <div className={s.form}>
        <h1>{t('newPassword.title')}</h1>
        <p role="status">{t('newPassword.changed')}</p>
        <ButtonLink to="/login" variant="primary" size="large" wide>
          {t('login.submit')}
        </ButtonLink>
      </div>
    );
  }
  return (
    <AuthForm
      title={t('newPassword.title')}
      submit={t('newPassword.submit')}
      form={form}
      links={<FormLink to="/password-reset">{t('newPassword.another')}</FormLink>}
    >
      <PasswordField
        label={t('newPassword.label')}
        autoComplete="new-password"
        hint={t('passwordHint', { Min: PASSWORD_MIN_LENGTH })}
        {...field('Password', password, setPassword)}
      />
      <p>{t('newPassword.ends')}</p>
      <label className={s.tick}>
        <input type="checkbox" checked={endsKeys} onChange={(event) => setEndsKeys(event.target.checked)} />
        <span>
          {t('newPassword.endKeys')}
          <small>{t('newPassword.endKeysHint')}</small>
        </span>
      </label>
    </AuthForm>
  );
}
