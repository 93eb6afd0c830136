// Preferences of this browser, independent of the account.
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { EndpointFormat } from '@/core';

interface Preferences {
  /** The format in which proxies are copied, one of core's endpoint formats; empty means the first. */
  endpointFormat: EndpointFormat | '';
  protocol: 'http' | 'socks5';
  /** Whether the first steps on the welcome screen were dismissed. */
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
