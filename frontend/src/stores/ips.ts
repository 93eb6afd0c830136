// Static residential proxies: what is being bought, and what is owned.
import { create } from 'zustand';
import { post, type Schemas } from '@/api/client';
import { type Coupon, loadCore, type Tier } from '@/core';
import { onSignOut } from './user';
import { useStored } from './useStored';

/** IPs by city, and the country of each city. */
export type Quantities = Record<string, { country: string; quantity: number }>;

export interface BuyParams {
  verStr: string;
  periodDays: number;
  target: string;
  quantities: Quantities;
  /** The quantity taken over from the price calculator, in any cities; 0 for none. */
  wanted: number;
  /** Individual IPs are picked, instead of a quantity per city. */
  isExact: boolean;
  nodes: Schemas['PurchasableNode'][];
  /** Set once the server has confirmed that it can be used. */
  coupon: Coupon | null;
}

/** What the order form comes to, for other screens to show. */
export interface BuyInfo {
  /** The plan's name on the wire, its `VerStr`: a screen finds its label in the reader's language. */
  name: string;
  ipsCount: number;
  unitPrice: string;
  price: string;
}

interface IpsState {
  buyParams: BuyParams;
  buyInfo: BuyInfo | null;
  /** Null before they were loaded. */
  ownIpsProducts: Tier[] | null;
  /** Null before it was loaded. */
  groupList: Schemas['PlanGroup'][] | null;
  setBuyParams: (change: Partial<BuyParams>) => void;
  /** Changes what is chosen now, which a screen may show a moment later. */
  changeQuantities: (change: (now: Quantities) => Quantities) => void;
  setBuyInfo: (buyInfo: BuyInfo | null) => void;
  loadOwnProducts: (catalogue: Schemas['Catalogue']) => Promise<void>;
  loadGroups: () => Promise<void>;
}

export const emptyBuyParams: BuyParams = {
  verStr: '',
  periodDays: 0,
  target: '',
  quantities: {},
  wanted: 0,
  isExact: false,
  nodes: [],
  coupon: null,
};

export const useIpsStore = create<IpsState>((set) => ({
  buyParams: emptyBuyParams,
  buyInfo: null,
  ownIpsProducts: null,
  groupList: null,
  setBuyParams: (change) => set(({ buyParams }) => ({ buyParams: { ...buyParams, ...change } })),
  changeQuantities: (change) =>
    set(({ buyParams }) => ({ buyParams: { ...buyParams, quantities: change(buyParams.quantities) } })),
  setBuyInfo: (buyInfo) => set({ buyInfo }),
  loadOwnProducts: async (catalogue) => {
    const [core, table] = await Promise.all([loadCore(), post('Ips/UserGetNodeTable')]);
    set({ ownIpsProducts: core.ownedProducts(table.Rows, catalogue) });
  },
  loadGroups: async () => set({ groupList: await post('Ips/GetUserPlanGroupList') }),
}));

onSignOut(() => useIpsStore.setState({ buyInfo: null, ownIpsProducts: null, groupList: null }));

/** The account's groups. */
export function useGroups(isWanted = true) {
  const groupList = useIpsStore((state) => state.groupList);
  return useStored(groupList, { queryKey: ['groups'], load: useIpsStore.getState().loadGroups, enabled: isWanted });
}

/** The products of the catalogue that the account owns. */
export function useOwnProducts(catalogue: Schemas['Catalogue'] | undefined) {
  const ownIpsProducts = useIpsStore((state) => state.ownIpsProducts);
  return useStored(ownIpsProducts, {
    queryKey: ['plans', 'own-products'],
    load: async () => {
      if (catalogue) await useIpsStore.getState().loadOwnProducts(catalogue);
    },
    enabled: catalogue !== undefined,
  });
}
