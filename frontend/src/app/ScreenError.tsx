// Error boundary fallback of a screen, also when its code could not be loaded.
import { CloudSlash } from '@phosphor-icons/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useRouteError } from 'react-router';
import { checkConnection, useConnection } from '@/api/connection';
import { useSupportStore } from '@/stores/support';
import { Button, ButtonLink } from '@/ui/Button';
import { useRecovery } from '@/ui/useRecovery';
import s from './app.module.css';

/** What browsers and Vite say when a script, a style or a wasm file of a screen cannot be fetched. */
const CODE_MISSING = /imported module|module script|preload CSS|failed to fetch|NetworkError|load failed/i;

export function ScreenError() {
  const { t } = useTranslation(['common', 'nav']);
  const navigate = useNavigate();
  const error = useRouteError();
  const lost = useConnection((state) => state.lost);
  useRecovery(() => window.location.reload());
  useEffect(() => {
    // The screen's code could not be fetched: if the server cannot be reached, the page loads it once it can.
    if (error instanceof Error && CODE_MISSING.test(error.message)) checkConnection();
    else console.error(error);
  }, [error]);
  if (lost) {
    return (
      <div className={s.notFound} data-in-layout role="alert">
        <CloudSlash size={36} aria-hidden="true" />
        <h1>{t(lost)}</h1>
        <span>{t('offlineHint')}</span>
        <div className={s.wayBack}>
          <Button variant="primary" onClick={() => window.location.reload()}>
            {t('retry')}
          </Button>
          <Button onClick={() => navigate(-1)}>{t('goBack')}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={s.notFound} data-in-layout role="alert">
      <h1>{t('screenFailed')}</h1>
      <span>{t('screenFailedHint')}</span>
      <div className={s.wayBack}>
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('retry')}
        </Button>
        <Button onClick={() => navigate(-1)}>{t('goBack')}</Button>
        <ButtonLink to="/">{t('goHome')}</ButtonLink>
        <Button onClick={() => useSupportStore.getState().openChat()}>{t('nav:contact-support')}</Button>
      </div>
    </div>
  );
}
