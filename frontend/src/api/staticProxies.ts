// Calls for static residential proxies: the list, what is done to many at once, groups, a plan's access, and the shop's stock.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MAX_PAGE_SIZE, SwitchMode } from '@/core/constants.gen';
import { type Change, change, EVERYTHING, file, type NewAddress, query } from './calls';
import { type BodyOf, type CallOptions, post, type Schemas } from './client';
import { list } from './lists';

type Node = Schemas['OwnedNode'];
type Selection = Schemas['NodeSelection'];
export type SwitchResult = Schemas['SwitchResult'];

/** Name of the list, with which the keys of all queries of owned proxies begin. */
export const PROXY_LIST = 'proxy-list';
/** Name of the list of replaced proxies. */
export const REPLACED = 'replaced';
export const PURCHASABLE = 'purchasable-nodes';
export const PLANS = ['plans'];
export const OWN_PRODUCTS = [...PLANS, 'own-products'];
export const GROUPS = ['groups'];
export const CATALOGUE = ['catalogue'];
const STOCK = ['stock'];
const VER_AUTH = ['ver-auth'];
const WHITELIST = ['whitelist'];

// The list, and parts of it.

export const loadNodes = list('Ips/GetUserNodeList');

/** The first proxies that match; `of` tells screens apart that show other parts of the rows. */
export const nodesQuery = (of: string, PageSize: number, asked: Parameters<typeof loadNodes>[0]) =>
  query([PROXY_LIST, of, PageSize, asked], 'Ips/GetUserNodeList', { PageSize, ...asked });
export const nodeQuery = (NodeId: number) => query([PROXY_LIST, 'node', NodeId], 'Ips/GetUserNode', { NodeId });
export const ownTargetsQuery = { ...query(['own-targets'], 'Ips/GetUserTargetList'), staleTime: 60_000 };

/** Finds the account's proxies with these addresses, page by page. */
export const findNodes: Change<string[], Node[]> = {
  send: async (ips) => {
    const nodes: Node[] = [];
    for (let begin = 0; begin < ips.length; begin += MAX_PAGE_SIZE) {
      const Ips = ips.slice(begin, begin + MAX_PAGE_SIZE);
      nodes.push(...(await post('Ips/GetUserNodeList', { PageSize: MAX_PAGE_SIZE, Filter: { Ips } })).Rows);
    }
    return nodes;
  },
};

// What is done to proxies.

const outdates = [[PROXY_LIST], GROUPS, PLANS, VER_AUTH];

/** To no group if it is null. */
export const moveToGroup: Change<Selection & { GroupId: number | null }, Schemas['BulkResult']> = {
  send: ({ GroupId, ...nodes }, options) =>
    GroupId === null
      ? post('Ips/ClearUserPlanGroup', nodes, options)
      : post('Ips/AddToGroup', { ...nodes, GroupId }, options),
  outdates,
};
export const editNodeNote = change('Ips/EditNodeNote', { outdates });
export const changeNodeAccount = change('Ips/UserEditNodeAccount', { outdates });
export const setAutoRenew = change('Ips/SetAutoRenew', { outdates });
export const exportNodes = file('Ips/ExportNodes');
export const testNode = change('Ips/TestNode');

export const renewalQuery = (body: BodyOf<'Ips/IpsNoneRenewByPrice'>) => ({
  ...query(['renew-quote', body], 'Ips/IpsNoneRenewByPrice', body),
  placeholderData: keepPreviousData,
  staleTime: 0,
});
export const renewNodes = change('Ips/IpsNoneRenew', {
  outdates: ({ PayFromWallet }, order) => (order && PayFromWallet ? [EVERYTHING] : []),
});

interface Switch {
  mode: SwitchMode;
  nodes: Selection;
  /** Of the mode that chooses the new proxy. */
  chosen?: { NodeId: number; NewNodeId: number } | undefined;
  reason: string;
}

function sendSwitch({ mode, nodes, chosen, reason }: Switch, DryRun: boolean, options: CallOptions) {
  const body = { Reason: reason, DryRun };
  if (mode === SwitchMode.Specified && chosen) return post('Ips/MySpecifySwitchNode', { ...body, ...chosen }, options);
  const call = mode === SwitchMode.Quota ? 'Ips/SwitchNode' : 'Ips/SwitchNodeByUnitPrice';
  return post(call, { ...nodes, ...body }, options);
}

/** The preview, which does not depend on the reason. */
export const switchPreviewQuery = (wanted: Omit<Switch, 'reason'>) =>
  queryOptions({
    queryKey: ['switch-preview', wanted],
    queryFn: ({ signal }) => sendSwitch({ ...wanted, reason: '' }, true, { signal, silent: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
export const switchNodes: Change<Switch, SwitchResult> = {
  send: (wanted, options) => sendSwitch(wanted, false, options),
  outdates: [[PROXY_LIST], GROUPS, PLANS, [REPLACED]],
};
export const loadReplaced = list('Ips/UserGetSwitchRecording');
export const exportReplaced = file('Ips/ExportSwitchRecording');

// Groups.

export const addGroup = change('Ips/AddUserPlanGroup', { outdates: [GROUPS, [PROXY_LIST]] });
export const editGroup = change('Ips/EditUserPlanGroup', { outdates: [GROUPS, [PROXY_LIST]] });
export const emptyGroup = change('Ips/ClearUserPlanGroupAllNode', { outdates: [GROUPS, [PROXY_LIST]] });
export const deleteGroup = change('Ips/DeleteUserPlanGroup', { outdates: [GROUPS, [PROXY_LIST]] });

// Access to the proxies of a plan.

export const verAuthQuery = (VerStr: string) => query([...VER_AUTH, VerStr], 'Ips/UserGetVerAuth', { VerStr });
export const updateVerAuth = change('Ips/UpdateVerAuth', { outdates: [VER_AUTH, PLANS, [PROXY_LIST]] });
export const updateVerAccount = change('Ips/UpdateVerUserPass', { outdates: [VER_AUTH, [PROXY_LIST]] });

export const whitelistQuery = (VerStr: string) =>
  query([...WHITELIST, VerStr], 'Ips/GetMyWhiteList', {
    Page: 1,
    PageSize: MAX_PAGE_SIZE,
    Sort: [],
    Search: '',
    Filter: { VerStr },
  });
export const addToWhitelist = (VerStr: string): Change<NewAddress, unknown> => ({
  send: (entry, options) => post('Ips/AddWhiteList', { VerStr, ...entry }, options),
  outdates: [WHITELIST, VER_AUTH],
});
export const removeFromWhitelist: Change<number, unknown> = {
  send: (id, options) => post('Ips/DelWhite', { WhiteIds: [id] }, options),
  outdates: [WHITELIST, VER_AUTH],
};

// What is for sale.

export const targetsQuery = { ...query(['targets'], 'Ips/UserGetTargetList'), staleTime: 300_000 };
export const loadPurchasable = list('Ips/GetMyPurchasableNodeList');
export const stockQuery = (VerStr: string, Target: string) =>
  query([...STOCK, VerStr, Target], 'Ips/GetCountryList', { VerStr, Target });
const HOLD_LIMIT = ['hold-limit'];
export const holdLimitQuery = query(HOLD_LIMIT, 'Order/GetHoldLimit');
export const createOrder = change('Order/CreateOrder', {
  // A refusal may come from old prices or an old stock, and another tab may have ordered meanwhile.
  outdates: ({ PayFromWallet }, order) => {
    if (order) return PayFromWallet ? [EVERYTHING] : [];
    return [HOLD_LIMIT, STOCK, [PURCHASABLE], CATALOGUE];
  },
});
