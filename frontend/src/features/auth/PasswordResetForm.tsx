// Requests a link to set a new password.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { TextField } from '@/ui/Field';
import { AuthForm } from './AuthForm';
import { FormLink, useTyped } from './forms';
import { MailSent } from './MailSent';
import { useSubmit } from './useSubmit';

export function PasswordResetForm() {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [isSent, setSent] = useState(false);
  const send = async () => {
    await post('User/RequestPasswordReset', { Email: email });
    setSent(true);
  };
  const { form, field } = useSubmit((core) => core.validatePasswordReset(email), send);
  if (isSent) {
    return (
      <MailSent
        title={t('passwordReset.sent')}
        text={t('passwordReset.sentHint', { Email: email })}
        onResend={send}
        onChangeAddress={() => setSent(false)}
      />
    );
  }
  return (
    <AuthForm
      title={t('passwordReset.title')}
      submit={t('passwordReset.submit')}
      form={form}
      links={<FormLink to="/login">{t('backToLogin')}</FormLink>}
    >
      <p>{t('passwordReset.hint')}</p>
      <TextField label={t('email')} type="email" autoComplete="username" {...field('Email', email, setEmail)} />
    </AuthForm>
  );
}
