// Error boundary fallback of a screen, also when its code could not be loaded.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useRouteError } from 'react-router';
import { useSupportStore } from '@/stores/support';
import { Button, ButtonLink } from '@/ui/Button';
import s from './app.module.css';

export function ScreenError() {
  const { t } = useTranslation(['common', 'nav']);
  const navigate = useNavigate();
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
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
