// The shop's public settings, and whether they are loading.
import { create } from 'zustand';
import { get, type Schemas } from '@/api/client';

interface ConfigState {
  /** The settings are being loaded. */
  loading: boolean;
  shop: Schemas['PublicConfig'] | null;
  loadShop: () => Promise<void>;
}

export const useConfigStore = create<ConfigState>((set) => ({
  loading: false,
  shop: null,
  loadShop: async () => {
    set({ loading: true });
    try {
      set({ shop: await get('SystemSettings/GetPublicConfig', { silent: true }) });
    } finally {
      set({ loading: false });
    }
  },
}));

/** The shop's name as the page itself has it: known before any call is answered. */
export function shopOfPage(): { name: string; isDemo: boolean } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="shop"]');
  return { name: meta?.content || 'Postern', isDemo: meta?.dataset.demo !== undefined };
}
