// Sign-in form, with a two-factor code if the server asks for one.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { useConfigStore } from '@/stores/config';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { PasswordField, TextField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import { AuthForm } from './AuthForm';
import s from './auth.module.css';
import { FormLink, useTyped } from './forms';
import { useSubmit } from './useSubmit';

/** Keys of code 3333: the password is correct, and a code is required or was wrong. */
const WANTS_CODE = 'twoFactorNeeded';
const WRONG_CODE = 'twoFactorWrong';

/** What makes the first operator. */
const COMMAND = 'postern init';

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const { email, setEmail } = useTyped();
  const [password, setPassword] = useState('');
  const [wantsCode, setWantsCode] = useState(false);
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const needsOperator = useConfigStore((state) => state.shop?.NeedsOperator);
  const { form, field } = useSubmit(
    (core) => core.validateLogin({ Email: email, Password: password }),
    async () => {
      const login = { Email: email, Password: password, DeviceId: deviceId(), ...(wantsCode && { Code: code.trim() }) };
      try {
        useUserStore.getState().signIn(await post('User/Login', login));
      } catch (error) {
        const key = error instanceof CallError ? error.data.Key : undefined;
        if (key !== WANTS_CODE && key !== WRONG_CODE) throw error;
        setWantsCode(true);
        if (key === WRONG_CODE) setRefusal((error as CallError).message);
        return;
      }
      onSignedIn();
    },
  );
  const codeField = field('Code', code, setCode);
  return (
    <AuthForm
      title={t('login.title')}
      submit={t('login.submit')}
      form={form}
      links={
        <>
          <FormLink to="/password-reset">{t('login.forgot')}</FormLink>
          <span>
            {t('login.noAccount')} <FormLink to="/sign-up">{t('login.signUp')}</FormLink>
          </span>
        </>
      }
    >
      {needsOperator && (
        <div className={s.notice}>
          <Notice>{fillText((marks) => t('login.noOperator', marks), { Command: <code>{COMMAND}</code> })}</Notice>
        </div>
      )}
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        autoFocus
        {...field('Email', email, (typed) => {
          setEmail(typed);
          // The other account may not need a code.
          setWantsCode(false);
        })}
      />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        {...field('Password', password, setPassword)}
      />
      {wantsCode && (
        <TextField
          label={t('login.code')}
          hint={t('login.codeHint')}
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...codeField}
          error={codeField.error ?? refusal}
          onChange={(event) => {
            setRefusal(undefined);
            codeField.onChange(event);
          }}
        />
      )}
    </AuthForm>
  );
}
