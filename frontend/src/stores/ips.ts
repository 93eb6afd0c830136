// Static residential proxies: the draft order, which a reload keeps, and the owned plans and groups.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { post, type Schemas } from '@/api/client';
import { GROUPS, OWN_PRODUCTS } from '@/api/staticProxies';
import { type Coupon, loadCore, type Tier } from '@/core';
import { onSignOut } from './user';
import { useStored } from './useStored';

/** Quantities by city, and the country of each city. */
export type Quantities = Record<string, { country: string; quantity: number }>;

export interface BuyParams {
  verStr: string;
  periodDays: number;
  target: string;
  quantities: Quantities;
  /** Quantity taken over from the price calculator, not yet assigned to cities; 0 for none. */
  wanted: number;
  /** Individual IPs are picked instead of quantities per city. */
  isExact: boolean;
  nodes: Schemas['PurchasableNode'][];
  /** Set once the server has accepted the coupon. */
  coupon: Coupon | null;
  /** The group of the ordered IPs; null for none. */
  groupId: number | null;
  /** Whether they renew automatically; null for as their plan does. */
  autoRenew: boolean | null;
}

/** Summary of the draft order, shown on other screens. */
export interface BuyInfo {
  /** The plan's wire name, its `VerStr`; screens look up its label. */
  name: string;
  ipsCount: number;
  unitPrice: string;
  price: string;
}

interface IpsState {
  buyParams: BuyParams;
  buyInfo: BuyInfo | null;
  /** Null until loaded. */
  ownIpsProducts: Tier[] | null;
  /** Null until loaded. */
  groupList: Schemas['PlanGroup'][] | null;
  setBuyParams: (change: Partial<BuyParams>) => void;
  /** Updates the draft at once; the screen may render it in a transition. */
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
  groupId: null,
  autoRenew: null,
};

/** Where the draft order is, for the browser session. */
const DRAFT_KEY = 'draftOrder';

export const useIpsStore = create<IpsState>()(
  persist(
    (set) => ({
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
      loadGroups: async () => {
        set({ groupList: await post('Ips/GetUserPlanGroupList') });
      },
    }),
    {
      name: DRAFT_KEY,
      storage: createJSONStorage(() => sessionStorage),
      partialize: ({ buyParams }) => ({ buyParams }),
      // A draft of an older version may lack a part.
      merge: (kept, now) => ({
        ...now,
        buyParams: { ...emptyBuyParams, ...(kept as { buyParams?: Partial<BuyParams> } | undefined)?.buyParams },
      }),
    },
  ),
);

// After the end of a session the same user signs in again, and goes on with the order.
onSignOut((hasEnded) =>
  useIpsStore.setState({
    buyInfo: null,
    ownIpsProducts: null,
    groupList: null,
    ...(!hasEnded && { buyParams: emptyBuyParams }),
  }),
);

/** The account's groups. */
export function useGroups(isWanted = true) {
  const groupList = useIpsStore((state) => state.groupList);
  return useStored(groupList, { queryKey: GROUPS, load: useIpsStore.getState().loadGroups, enabled: isWanted });
}

/** The catalogue's products that the account owns. */
export function useOwnProducts(catalogue: Schemas['Catalogue'] | undefined) {
  const ownIpsProducts = useIpsStore((state) => state.ownIpsProducts);
  return useStored(ownIpsProducts, {
    queryKey: OWN_PRODUCTS,
    load: async () => {
      if (catalogue) await useIpsStore.getState().loadOwnProducts(catalogue);
    },
    enabled: catalogue !== undefined,
  });
}
