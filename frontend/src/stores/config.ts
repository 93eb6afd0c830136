// What the whole app knows of the shop, and whether that is on its way.
import { create } from 'zustand';
import { get, type Schemas } from '@/api/client';

interface ConfigState {
  /** The shop's settings are being asked for. */
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

/** What the page itself says of the shop: it is there before any call is answered. */
export function shopOfPage(): { name: string; isDemo: boolean } {
  const said = document.querySelector<HTMLMetaElement>('meta[name="shop"]');
  return { name: said?.content || 'Postern', isDemo: said?.dataset.demo !== undefined };
}
