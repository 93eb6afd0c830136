// Views and addresses of the inventory, and its filters.
import { NodeState, OPERATOR_PATH } from '@/core/constants.gen';
import { useFilters } from '@/ui/listAddress';

export const VIEW_KEY = 'view';
export const STOCK = 'stock';
export const USE_CASES = 'use-cases';

export const STATES = Object.values(NodeState);

const KEYS = ['Search', 'State', 'VerStr', 'Country', 'City', 'Target', 'Supplier', 'ServerId', 'AccountId'] as const;
type Key = (typeof KEYS)[number];

/** Address of the list with these filters. */
export const nodesOf = (filters: Partial<Record<Key, string>>) =>
  `${OPERATOR_PATH}/inventory?${new URLSearchParams(filters)}`;

const IS_ID = /^[1-9]\d{0,14}$/;
const idOf = (text: string) => (IS_ID.test(text) ? text : '');

/** Filters of the list, in the address, and what the server is asked for. */
export function useInventoryFilter() {
  const [inAddress, change] = useFilters(KEYS);
  const { Search, VerStr, Country, Target, Supplier } = inAddress;
  const State = STATES.find((state) => state === inAddress.State);
  const filters = {
    Search,
    VerStr,
    Country,
    Target,
    Supplier,
    State: State ?? '',
    // A city is chosen within a country.
    City: Country && inAddress.City,
    ServerId: idOf(inAddress.ServerId),
    AccountId: idOf(inAddress.AccountId),
  };
  const { City, ServerId, AccountId } = filters;
  const asked = {
    Search,
    Filter: {
      ...(State && { State }),
      VerStr,
      Country,
      City,
      Target,
      Supplier,
      ...(ServerId && { ServerId: Number(ServerId) }),
      ...(AccountId && { AccountId: Number(AccountId) }),
    },
  };
  return { filters, asked, change };
}

export type InventoryFilter = ReturnType<typeof useInventoryFilter>;
