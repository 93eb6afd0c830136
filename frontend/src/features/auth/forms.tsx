// Shared state and links of the three sign-in forms.
import { Link, useSearchParams } from 'react-router';
import { create } from 'zustand';
import { REDIRECT_KEY } from '@/core/constants.gen';

export type AuthForm = 'login' | 'signUp' | 'passwordReset';

/** What was typed, kept while switching between the forms. */
export const useTyped = create<{ email: string; setEmail: (email: string) => void }>((set) => ({
  email: '',
  setEmail: (email) => set({ email }),
}));

/** A link to another form that keeps the redirect target. */
export function FormLink({ to, children }: { to: string; children: string }) {
  const [parameters] = useSearchParams();
  const redirect = parameters.get(REDIRECT_KEY);
  return <Link to={redirect ? `${to}?${REDIRECT_KEY}=${encodeURIComponent(redirect)}` : to}>{children}</Link>;
}
