// The screens /login, /sign-up and /password-reset: three forms that share what was typed.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { loadCore } from '@/core';
import { REDIRECT_KEY } from '@/core/constants.gen';
import { startPath, useUserStore } from '@/stores/user';
import { AuthFrame } from './AuthFrame';
import { ConfirmLink } from './ConfirmLink';
import type { AuthForm } from './forms';
import { LoginForm } from './LoginForm';
import { NewPasswordForm } from './NewPasswordForm';
import { PasswordResetForm } from './PasswordResetForm';
import { SignUpForm } from './SignUpForm';

export function AuthPage({ form }: { form: AuthForm }) {
  const { t } = useTranslation('auth');
  const [parameters] = useSearchParams();
  const info = useUserStore((state) => state.info);
  const redirect = useRedirect();
  const [wasSignedIn] = useState(info !== null);
  const verifyToken = parameters.get('verify');
  const resetToken = parameters.get('reset');

  if (wasSignedIn && info && !verifyToken && !resetToken) return <Navigate to={startPath()} replace />;
  return (
    <AuthFrame title={t(`${form}.title`)}>
      {form === 'login' && <LoginForm onSignedIn={redirect} />}
      {form === 'signUp' && (verifyToken ? <ConfirmLink token={verifyToken} onSignedIn={redirect} /> : <SignUpForm />)}
      {form === 'passwordReset' &&
        (resetToken ? <NewPasswordForm token={resetToken} onSignedIn={redirect} /> : <PasswordResetForm />)}
    </AuthFrame>
  );
}

/** After signing in: to the page named by the address or stored for the visit, if it is on this site. */
function useRedirect() {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  return async () => {
    const wanted = parameters.get(REDIRECT_KEY) ?? sessionStorage.getItem(REDIRECT_KEY) ?? '';
    sessionStorage.removeItem(REDIRECT_KEY);
    const core = await loadCore();
    navigate(core.safeRedirect(wanted) ?? startPath(), { replace: true });
  };
}
