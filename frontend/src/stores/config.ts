// What the whole app knows of the shop, and whether it is busy.
import { create } from 'zustand';
import { get, type Schemas } from '@/api/client';

interface ConfigState {
  loading: boolean;
  shop: Schemas['PublicConfig'] | null;
  setLoading: (loading: boolean) => void;
  loadShop: () => Promise<void>;
}

export const useConfigStore = create<ConfigState>((set) => ({
  loading: false,
  shop: null,
  setLoading: (loading) => set({ loading }),
  loadShop: async () => set({ shop: await get('SystemSettings/GetPublicConfig', { silent: true }) }),
}));

/** What the page itself says of the shop: it is there before any call is answered. */
export function shopOfPage(): { name: string; isDemo: boolean } {
  const said = document.querySelector<HTMLMetaElement>('meta[name="shop"]');
  return { name: said?.content || 'Postern', isDemo: said?.dataset.demo !== undefined };
}
