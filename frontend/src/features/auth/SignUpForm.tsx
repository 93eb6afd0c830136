// Sign-up form; the account is created when the emailed link is opened.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { timeZone } from '@/core';
import { INVITE_CODE_KEY, PASSWORD_MIN_LENGTH } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useConfigStore } from '@/stores/config';
import { marketing } from '@/stores/visit';
import { PasswordField, TextField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { AuthForm } from './AuthForm';
import s from './auth.module.css';
import { FormLink, useTyped } from './forms';
import { MailSent } from './MailSent';
import { useSubmit } from './useSubmit';

export function SignUpForm() {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const [inviteCode, setInviteCode] = useState(() => sessionStorage.getItem(INVITE_CODE_KEY) ?? '');
  const [isSent, setSent] = useState(false);
  const terms = useConfigStore((state) => state.shop?.TermsUrl);
  const send = async () => {
    await post('User/SignUp', {
      Email: email,
      Password: password,
      InviteCode: inviteCode,
      Language: currentLanguage(),
      TimeZone: timeZone(),
      Marketing: marketing(sessionStorage),
    });
    setSent(true);
  };
  const { form, field } = useSubmit(
    (core) => core.validateSignUp({ Email: email, Password: password, InviteCode: inviteCode }),
    send,
  );
  if (isSent) {
    return (
      <MailSent
        title={t('signUp.sent')}
        text={t('signUp.sentHint', { Email: email })}
        onResend={send}
        onChangeAddress={() => setSent(false)}
      />
    );
  }
  return (
    <AuthForm
      title={t('signUp.title')}
      submit={t('signUp.submit')}
      form={form}
      links={
        <span>
          {t('signUp.haveAccount')} <FormLink to="/login">{t('signUp.login')}</FormLink>
        </span>
      }
    >
      <TextField label={t('email')} type="email" autoComplete="email" {...field('Email', email, setEmail)} />
      <PasswordField
        label={t('password')}
        autoComplete="new-password"
        hint={t('passwordHint', { Min: PASSWORD_MIN_LENGTH })}
        {...field('Password', password, setPassword)}
      />
      <TextField label={t('inviteCode')} autoComplete="off" {...field('InviteCode', inviteCode, setInviteCode)} />
      {terms && (
        <p className={s.terms}>
          {fillText((marks) => t('signUp.terms', marks), {
            Terms: (
              <a href={terms} target="_blank" rel="noreferrer">
                {t('signUp.termsLink')}
              </a>
            ),
          })}
        </p>
      )}
    </AuthForm>
  );
}
