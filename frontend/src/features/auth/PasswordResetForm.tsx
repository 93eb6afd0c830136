// Asking for a link to set a new password.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FaceLink, useTyped } from './AuthPage';
import s from './auth.module.css';
import { MailSent } from './MailSent';
import { useSubmit } from './useSubmit';

export function PasswordResetForm() {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [isSent, setSent] = useState(false);
  const { fields, isBusy, onSubmit } = useSubmit(
    (core) => core.validatePasswordReset(email),
    async () => {
      await post('User/RequestPasswordReset', { Email: email });
      setSent(true);
    },
  );
  if (isSent) return <MailSent title={t('passwordReset.sent')} text={t('passwordReset.sentHint', { Email: email })} />;
  return (
    <form className={s.form} onSubmit={onSubmit} noValidate>
      <h1>{t('passwordReset.title')}</h1>
      <p>{t('passwordReset.hint')}</p>
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        value={email}
        error={fields.textOf('Email')}
        onChange={(event) => {
          setEmail(event.target.value);
          fields.clear('Email');
        }}
      />
      <Button type="submit" variant="primary" size="large" wide loading={isBusy}>
        {t('passwordReset.submit')}
      </Button>
      <p className={s.links}>
        <FaceLink to="/login">{t('backToLogin')}</FaceLink>
      </p>
    </form>
  );
}
