// Choosing a new password with the mailed link.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { PASSWORD_MIN_LENGTH } from '@/core/constants.gen';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { PasswordField } from '@/ui/Field';
import { AuthForm } from './AuthForm';
import { FaceLink } from './faces';
import { useSubmit } from './useSubmit';

export function NewPasswordForm({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const [password, setPassword] = useState('');
  const { form, field } = useSubmit(
    (core) => core.validateResetPassword(password),
    async () => {
      const reset = { ResetToken: token, Password: password, DeviceId: deviceId() };
      useUserStore.getState().signIn(await post('User/ResetPassword', reset));
      onSignedIn();
    },
  );
  return (
    <AuthForm
      title={t('newPassword.title')}
      submit={t('newPassword.submit')}
      form={form}
      links={<FaceLink to="/password-reset">{t('newPassword.another')}</FaceLink>}
    >
      <PasswordField
        label={t('newPassword.label')}
        autoComplete="new-password"
        hint={t('passwordHint', { Min: PASSWORD_MIN_LENGTH })}
        {...field('Password', password, setPassword)}
      />
    </AuthForm>
  );
}
