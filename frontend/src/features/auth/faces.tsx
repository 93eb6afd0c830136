// What the three faces of the sign-in screen share.
import { Link, useSearchParams } from 'react-router';
import { create } from 'zustand';
import { REDIRECT_KEY } from '@/core/constants.gen';

export type Face = 'login' | 'signUp' | 'passwordReset';

/** What was typed, while somebody goes from one face to another. */
export const useTyped = create<{ email: string; setEmail: (email: string) => void }>((set) => ({
  email: '',
  setEmail: (email) => set({ email }),
}));

/** A link to another face, which leads to the same place after signing in. */
export function FaceLink({ to, children }: { to: string; children: string }) {
  const [parameters] = useSearchParams();
  const redirect = parameters.get(REDIRECT_KEY);
  return <Link to={redirect ? `${to}?${REDIRECT_KEY}=${encodeURIComponent(redirect)}` : to}>{children}</Link>;
}
