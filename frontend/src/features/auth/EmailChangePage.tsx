// The screen /email-change, opened from emails: says what its button does, then confirms or stops a change of address.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { post } from '@/api/client';
import { useUserStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { AuthForm } from './AuthForm';
import { AuthFrame } from './AuthFrame';
import s from './auth.module.css';
import { FormLink } from './forms';
import { useSubmit } from './useSubmit';

export function EmailChangePage() {
  const { t } = useTranslation('auth');
  const [parameters] = useSearchParams();
  const confirmToken = parameters.get('confirm');
  const stopToken = parameters.get('stop');
  return (
    <AuthFrame title={stopToken ? t('emailChange.stop') : t('emailChange.confirm')}>
      {stopToken ? (
        <StopChange token={stopToken} />
      ) : confirmToken ? (
        <ConfirmChange token={confirmToken} />
      ) : (
        <div className={s.form}>
          <h1>{t('emailChange.failed')}</h1>
          <Notice tone="bad">{t('emailChange.noLink')}</Notice>
          <BackToLogin />
        </div>
      )}
    </AuthFrame>
  );
}

function ConfirmChange({ token }: { token: string }) {
  const { t } = useTranslation('auth');
  const isSignedIn = useUserStore((state) => state.info !== null);
  const [email, setEmail] = useState<string>();
  const { form } = useSubmit(
    () => ({}),
    async () => {
      const confirmed = await post('User/ConfirmEmailChange', { Token: token });
      if (useUserStore.getState().info) await useUserStore.getState().loadInfo();
      setEmail(confirmed.Email);
    },
  );
  if (!email) {
    return (
      <AuthForm
        title={t('emailChange.confirm')}
        submit={t('emailChange.confirmSubmit')}
        form={form}
        links={<ToLogin />}
      >
        <p>{t('emailChange.confirmWhat')}</p>
      </AuthForm>
    );
  }
  return (
    <div className={s.form}>
      <h1>{t('emailChange.confirmed')}</h1>
      <p role="status">{t('emailChange.confirmedHint', { Email: email })}</p>
      <ButtonLink to={isSignedIn ? '/my-account/details' : '/login'} variant="primary" size="large" wide>
        {isSignedIn ? t('emailChange.toApp') : t('login.submit')}
      </ButtonLink>
    </div>
  );
}

function StopChange({ token }: { token: string }) {
  const { t } = useTranslation('auth');
  const [isStopped, setStopped] = useState(false);
  const { form } = useSubmit(
    () => ({}),
    async () => {
      await post('User/StopEmailChange', { Token: token });
      // All sessions have ended, including this one.
      useUserStore.getState().signOut();
      setStopped(true);
    },
  );
  if (!isStopped) {
    return (
      <AuthForm title={t('emailChange.stop')} submit={t('emailChange.stopSubmit')} form={form} links={<ToLogin />}>
        <p>{t('emailChange.stopWhat')}</p>
      </AuthForm>
    );
  }
  return (
    <div className={s.form}>
      <h1>{t('emailChange.cancelled')}</h1>
      <p role="status">{t('emailChange.cancelledHint')}</p>
      <BackToLogin />
    </div>
  );
}

function BackToLogin() {
  return (
    <p className={s.links}>
      <ToLogin />
    </p>
  );
}

function ToLogin() {
  const { t } = useTranslation('auth');
  return <FormLink to="/login">{t('backToLogin')}</FormLink>;
}
