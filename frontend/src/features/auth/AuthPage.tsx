// The screen of /login, /sign-up and /password-reset: one screen with three faces, which keep what was typed.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { create } from 'zustand';
import { loadCore } from '@/core';
import { REDIRECT_KEY } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { START_PATH, useUserStore } from '@/stores/user';
import s from './auth.module.css';
import { ConfirmLink } from './ConfirmLink';
import { LanguageSwitch } from './LanguageSwitch';
import { LoginForm } from './LoginForm';
import { NewPasswordForm } from './NewPasswordForm';
import { PasswordResetForm } from './PasswordResetForm';
import { SignUpForm } from './SignUpForm';

export type Face = 'login' | 'signUp' | 'passwordReset';

/** What the faces share while somebody goes from one to the other. */
export const useTyped = create<{ email: string; setEmail: (email: string) => void }>((set) => ({
  email: '',
  setEmail: (email) => set({ email }),
}));

export function AuthPage({ face }: { face: Face }) {
  const { t } = useTranslation('auth');
  const [parameters] = useSearchParams();
  const info = useUserStore((state) => state.info);
  const shop = useConfigStore((state) => state.shop);
  const goOn = useGoOn();
  const [wasSignedIn] = useState(info !== null);
  const verifyToken = parameters.get('verify');
  const resetToken = parameters.get('reset');

  useEffect(() => {
    useConfigStore
      .getState()
      .loadShop()
      .catch(() => {});
    // While somebody types, the rules arrive that the form will need.
    loadCore().catch(() => {});
  }, []);
  useEffect(() => {
    document.title = t(`${face}.title`);
  }, [face, t]);

  if (wasSignedIn && info && !verifyToken && !resetToken) return <Navigate to={START_PATH} replace />;
  return (
    <div className={s.screen}>
      <header className={s.top}>
        <span className={s.brand}>
          <img src="/favicon.svg" alt="" width={26} height={26} />
          {shop?.ShopName ?? 'Postern'}
        </span>
        <LanguageSwitch />
      </header>
      <main className={s.box}>
        {face === 'login' && <LoginForm onSignedIn={goOn} />}
        {face === 'signUp' && (verifyToken ? <ConfirmLink token={verifyToken} onSignedIn={goOn} /> : <SignUpForm />)}
        {face === 'passwordReset' &&
          (resetToken ? <NewPasswordForm token={resetToken} onSignedIn={goOn} /> : <PasswordResetForm />)}
      </main>
      {shop?.DemoShop && (
        <footer className={s.demo}>
          {t('demo')} <a href="/demo/mail">{t('demoMail')}</a>
        </footer>
      )}
    </div>
  );
}

/** After signing in: to where the address or the visit wanted to go, if that is a place of this site. */
function useGoOn() {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  return async () => {
    const wanted = parameters.get(REDIRECT_KEY) ?? sessionStorage.getItem(REDIRECT_KEY) ?? '';
    sessionStorage.removeItem(REDIRECT_KEY);
    const core = await loadCore();
    navigate(core.safeRedirect(wanted) ?? START_PATH, { replace: true });
  };
}

export function FaceLink({ to, children }: { to: string; children: string }) {
  const [parameters] = useSearchParams();
  const redirect = parameters.get('redirect');
  return <Link to={redirect ? `${to}?redirect=${encodeURIComponent(redirect)}` : to}>{children}</Link>;
}
