// The screen of /login, /sign-up and /password-reset: one screen with three faces, which keep what was typed.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { loadCore } from '@/core';
import { REDIRECT_KEY } from '@/core/constants.gen';
import { shopOfPage, useConfigStore } from '@/stores/config';
import { START_PATH, useUserStore } from '@/stores/user';
import { idle } from '@/ui/idle';
import { Logo } from '@/ui/Logo';
import s from './auth.module.css';
import { ConfirmLink } from './ConfirmLink';
import type { Face } from './faces';
import { LanguageSwitch } from './LanguageSwitch';
import { LoginForm } from './LoginForm';
import { NewPasswordForm } from './NewPasswordForm';
import { PasswordResetForm } from './PasswordResetForm';
import { SignUpForm } from './SignUpForm';

/** The longest that the rest of the first visit waits for the screen to be drawn. */
const REST_MS = 1_000;

export function AuthPage({ face }: { face: Face }) {
  const { t } = useTranslation('auth');
  const [parameters] = useSearchParams();
  const info = useUserStore((state) => state.info);
  const shop = useConfigStore((state) => state.shop);
  const [ofPage] = useState(shopOfPage);
  const redirect = useRedirect();
  const [wasSignedIn] = useState(info !== null);
  const verifyToken = parameters.get('verify');
  const resetToken = parameters.get('reset');

  useEffect(() => {
    // The page knows what it shows of the shop. While somebody types, the rest arrives, and the rules that the form will need.
    idle(REST_MS).then(() => {
      useConfigStore
        .getState()
        .loadShop()
        .catch(() => {});
      loadCore().catch(() => {});
    });
  }, []);
  useEffect(() => {
    document.title = t(`${face}.title`);
  }, [face, t]);

  if (wasSignedIn && info && !verifyToken && !resetToken) return <Navigate to={START_PATH} replace />;
  return (
    <div className={s.screen}>
      <header className={s.top}>
        <span className={s.brand}>
          <Logo size={26} />
          {shop?.ShopName ?? ofPage.name}
        </span>
        <LanguageSwitch />
      </header>
      <main className={s.box}>
        {face === 'login' && <LoginForm onSignedIn={redirect} />}
        {face === 'signUp' &&
          (verifyToken ? <ConfirmLink token={verifyToken} onSignedIn={redirect} /> : <SignUpForm />)}
        {face === 'passwordReset' &&
          (resetToken ? <NewPasswordForm token={resetToken} onSignedIn={redirect} /> : <PasswordResetForm />)}
      </main>
      {(shop?.DemoShop ?? ofPage.isDemo) && (
        <footer className={s.demo}>
          {t('demo')} <a href="/demo/mail">{t('demoMail')}</a>
        </footer>
      )}
    </div>
  );
}

/** After signing in: to where the address or the visit wanted to go, if that is a place of this site. */
function useRedirect() {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  return async () => {
    const wanted = parameters.get(REDIRECT_KEY) ?? sessionStorage.getItem(REDIRECT_KEY) ?? '';
    sessionStorage.removeItem(REDIRECT_KEY);
    const core = await loadCore();
    navigate(core.safeRedirect(wanted) ?? START_PATH, { replace: true });
  };
}
