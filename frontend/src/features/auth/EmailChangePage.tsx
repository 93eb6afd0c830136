// The screen /email-change, opened from emails: confirms a change of address, or cancels it.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CallError, post } from '@/api/client';
import { useUserStore } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { AuthFrame } from './AuthFrame';
import s from './auth.module.css';
import { FormLink } from './forms';

type Outcome = { confirmed: string } | 'stopped' | 'expired' | 'network';

export function EmailChangePage() {
  const { t } = useTranslation(['auth', 'common']);
  const [parameters] = useSearchParams();
  const confirmToken = parameters.get('confirm');
  const stopToken = parameters.get('stop');
  const title = stopToken ? t('emailChange.cancelling') : t('emailChange.confirming');
  return (
    <AuthFrame title={title}>
      {confirmToken || stopToken ? (
        <Link confirmToken={confirmToken} stopToken={stopToken} title={title} />
      ) : (
        <div className={s.form}>
          <h1>{t('emailChange.failed')}</h1>
          <Notice tone="bad">{t('emailChange.noLink')}</Notice>
          <p className={s.links}>
            <FormLink to="/login">{t('backToLogin')}</FormLink>
          </p>
        </div>
      )}
    </AuthFrame>
  );
}

function Link({
  confirmToken,
  stopToken,
  title,
}: Record<'confirmToken' | 'stopToken', string | null> & { title: string }) {
  const { t } = useTranslation(['auth', 'common']);
  const isSignedIn = useUserStore((state) => state.info !== null);
  const [outcome, setOutcome] = useState<Outcome>();
  const wasSent = useRef(false);

  const send = async () => {
    setOutcome(undefined);
    try {
      if (stopToken) {
        await post('User/StopEmailChange', { Token: stopToken }, { silent: true });
        // All sessions have ended, including this one.
        useUserStore.getState().signOut();
        setOutcome('stopped');
      } else {
        const { Email } = await post('User/ConfirmEmailChange', { Token: confirmToken ?? '' }, { silent: true });
        if (useUserStore.getState().info) await useUserStore.getState().loadInfo();
        setOutcome({ confirmed: Email });
      }
    } catch (error) {
      setOutcome(error instanceof CallError && error.data.Key ? 'expired' : 'network');
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link works only once
  useEffect(() => {
    if (wasSent.current) return;
    wasSent.current = true;
    send();
  }, []);

  const done = outcome === 'stopped' ? t('emailChange.cancelled') : t('emailChange.confirmed');
  const isDone = outcome === 'stopped' || typeof outcome === 'object';
  return (
    <div className={s.form}>
      <h1>{isDone ? done : outcome === 'expired' ? t('emailChange.failed') : title}</h1>
      {!outcome && <LoadingState rows={2} />}
      {typeof outcome === 'object' && (
        <>
          <p role="status">{t('emailChange.confirmedHint', { Email: outcome.confirmed })}</p>
          <ButtonLink to={isSignedIn ? '/my-account/details' : '/login'} variant="primary" size="large" wide>
            {isSignedIn ? t('emailChange.toApp') : t('login.submit')}
          </ButtonLink>
        </>
      )}
      {outcome === 'stopped' && (
        <>
          <p role="status">{t('emailChange.cancelledHint')}</p>
          <p className={s.links}>
            <FormLink to="/login">{t('backToLogin')}</FormLink>
          </p>
        </>
      )}
      {outcome === 'expired' && (
        <>
          <Notice tone="bad">{t('emailChange.expired')}</Notice>
          <p className={s.links}>
            <FormLink to="/login">{t('backToLogin')}</FormLink>
          </p>
        </>
      )}
      {outcome === 'network' && <Button onClick={send}>{t('common:retry')}</Button>}
    </div>
  );
}
