// Handles the link of a sign-up email: confirms the address, creates the account and signs in.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import s from './auth.module.css';
import { FormLink } from './forms';

export function ConfirmLink({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const { t } = useTranslation(['auth', 'common']);
  const [failure, setFailure] = useState<'link' | 'network'>();
  const wasSent = useRef(false);

  const confirm = async () => {
    setFailure(undefined);
    try {
      const confirmed = { VerifyToken: token, DeviceId: deviceId() };
      useUserStore.getState().signIn(await post('User/VerifyEmail', confirmed));
      onSignedIn();
    } catch (error) {
      setFailure(error instanceof CallError && error.data.Key ? 'link' : 'network');
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link works only once
  useEffect(() => {
    if (wasSent.current) return;
    wasSent.current = true;
    confirm();
  }, []);

  return (
    <div className={s.form}>
      <h1>{t('confirm.title')}</h1>
      {!failure && <LoadingState rows={2} />}
      {failure === 'link' && (
        <>
          <Notice tone="bad">{t('confirm.expired')}</Notice>
          <p className={s.links}>
            <FormLink to="/login">{t('backToLogin')}</FormLink>
            <FormLink to="/sign-up">{t('confirm.again')}</FormLink>
          </p>
        </>
      )}
      {failure === 'network' && <Button onClick={confirm}>{t('common:retry')}</Button>}
    </div>
  );
}
