// Signing up: the account is made when the mailed link is opened.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { timeZone } from '@/core';
import { INVITE_CODE_KEY } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { marketing } from '@/stores/visit';
import { Button } from '@/ui/Button';
import { PasswordField, TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { FaceLink, useTyped } from './AuthPage';
import s from './auth.module.css';
import { MailSent } from './MailSent';
import { useSubmit } from './useSubmit';

export function SignUpForm() {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const [inviteCode, setInviteCode] = useState(() => sessionStorage.getItem(INVITE_CODE_KEY) ?? '');
  const [isSent, setSent] = useState(false);
  const { fields, isBusy, message, onSubmit } = useSubmit(
    (core) => core.validateSignUp({ Email: email, Password: password, InviteCode: inviteCode }),
    async () => {
      await post('User/SignUp', {
        Email: email,
        Password: password,
        InviteCode: inviteCode,
        Language: currentLanguage(),
        TimeZone: timeZone(),
        Marketing: marketing(sessionStorage),
      });
      setSent(true);
    },
  );
  if (isSent) return <MailSent title={t('signUp.sent')} text={t('signUp.sentHint', { Email: email })} />;
  return (
    <form className={s.form} onSubmit={onSubmit} noValidate>
      <h1>{t('signUp.title')}</h1>
      <TextField
        label={t('email')}
        type="email"
        autoComplete="email"
        value={email}
        error={fields.textOf('Email')}
        onChange={(event) => {
          setEmail(event.target.value);
          fields.clear('Email');
        }}
      />
      <PasswordField
        label={t('password')}
        autoComplete="new-password"
        hint={t('passwordHint')}
        value={password}
        error={fields.textOf('Password')}
        onChange={(event) => {
          setPassword(event.target.value);
          fields.clear('Password');
        }}
      />
      <TextField
        label={t('inviteCode')}
        autoComplete="off"
        value={inviteCode}
        error={fields.textOf('InviteCode')}
        onChange={(event) => {
          setInviteCode(event.target.value);
          fields.clear('InviteCode');
        }}
      />
      {message && <Notice tone="bad">{message}</Notice>}
      <Button type="submit" variant="primary" size="large" wide loading={isBusy}>
        {t('signUp.submit')}
      </Button>
      <p className={s.links}>
        <span>
          {t('signUp.haveAccount')} <FaceLink to="/login">{t('signUp.login')}</FaceLink>
        </span>
      </p>
    </form>
  );
}
