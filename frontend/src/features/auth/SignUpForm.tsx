// Sign-up form; the account is created when the emailed link is opened.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { type FieldErrors, timeZone } from '@/core';
import { INVITE_CODE_KEY, LegalKind, PASSWORD_MIN_LENGTH } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useConfigStore } from '@/stores/config';
import { useLegalKinds, useLegalTexts } from '@/stores/legal';
import { marketing } from '@/stores/visit';
import { PasswordField, TextField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { AuthForm } from './AuthForm';
import s from './auth.module.css';
import { Consent } from './Consent';
import { FormLink, useTyped } from './forms';
import { MailSent } from './MailSent';
import { useSubmit } from './useSubmit';

/** As the server refuses a sign-up without them. */
const NOT_ACCEPTED: FieldErrors = { AcceptedTexts: [{ Rule: 'acceptTexts', Params: {} }] };

export function SignUpForm() {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const [inviteCode, setInviteCode] = useState(() => sessionStorage.getItem(INVITE_CODE_KEY) ?? '');
  const [isSent, setSent] = useState(false);
  const terms = useConfigStore((state) => state.shop?.TermsUrl);
  const hasOwnTerms = useLegalKinds().includes(LegalKind.Terms);
  const texts = useLegalTexts().map(({ LegalTextId }) => LegalTextId);
  // By their ids: a version that comes meanwhile has not been accepted.
  const [accepted, setAccepted] = useState<number[]>([]);
  const isAccepted = texts.every((id) => accepted.includes(id));
  const send = async () => {
    const form = {
      Email: email,
      Password: password,
      InviteCode: inviteCode,
      Language: currentLanguage(),
      TimeZone: timeZone(),
      Marketing: marketing(sessionStorage),
      AcceptedTexts: texts,
    };
    try {
      await post('User/SignUp', form);
    } catch (error) {
      // The seller has published another version since: it is asked about.
      if (hasError(error, 'AcceptedTexts'))
        await useConfigStore
          .getState()
          .loadShop()
          .catch(() => {});
      throw error;
    }
    setSent(true);
  };
  const { form, field, tick } = useSubmit(
    (core) => ({
      ...core.validateSignUp({ Email: email, Password: password, InviteCode: inviteCode }),
      ...(!isAccepted && NOT_ACCEPTED),
    }),
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
      <Consent isGiven={isAccepted} {...tick('AcceptedTexts', (isGiven) => setAccepted(isGiven ? texts : []))} />
      {terms && !hasOwnTerms && (
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

const hasError = (error: unknown, field: string) =>
  error instanceof CallError && typeof error.data.Fields === 'object' && field in (error.data.Fields ?? {});
