// The shop's public settings.
import { create } from 'zustand';
import { get, type Schemas } from '@/api/client';

interface ConfigState {
  /** The settings are loading. */
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

interface Brand {
  name: string;
  isDemo: boolean;
  /** The seller's tagline, by language. */
  taglines: Record<string, string | undefined>;
  /** URL of the seller's logo. */
  logo: string | undefined;
  /** The logo has the shop's name in it. */
  isWordmark: boolean;
}

/** The shop's brand from the page's markup, available before any call is answered. */
export function shopOfPage(): Brand {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="shop"]');
  const { demo, logo, wordmark, taglineEn, taglineZh } = meta?.dataset ?? {};
  return {
    name: meta?.content || 'Postern',
    isDemo: demo !== undefined,
    taglines: { en: taglineEn, zh: taglineZh },
    logo,
    isWordmark: wordmark !== undefined,
  };
}
