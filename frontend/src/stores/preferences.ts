// Preferences of this browser, whoever is signed in.
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface Preferences {
  /** The form in which proxies are copied, one of core's endpoint formats; the first of them when empty. */
  endpointFormat: string;
  protocol: 'http' | 'socks5';
  /** Whether the first steps on the welcome screen were closed. */
  areStepsHidden: boolean;
  set: (change: Partial<Omit<Preferences, 'set'>>) => void;
}

export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      endpointFormat: '',
      protocol: 'http',
      areStepsHidden: false,
      set: (change) => set(change),
    }),
    { name: 'preferences' },
  ),
);
