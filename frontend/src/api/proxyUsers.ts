// Calls for proxy users and their IP whitelists.
import { queryOptions } from '@tanstack/react-query';
import { MAX_PAGE_SIZE } from '@/core/constants.gen';
import { type Change, change, file, type NewAddress, query } from './calls';
import { post, type Schemas } from './client';
import { list } from './lists';

export type ProxyUserView = Schemas['ProxyUserView'];
export type ProxyUserState = ProxyUserView['State'];
export type LimitCycle = ProxyUserView['LimitCycle'];
export type ProxyUserForm = Required<Schemas['ProxyUserForm']>;
export type ProxyUserFilter = {
  State?: ProxyUserState;
  Country?: string;
};
export type ProxyUserWithPassword = Schemas['ProxyUserWithPassword'];
export type ProxyUsersChanged = Schemas['ProxyUsersChanged'];
export type ProxyUsersImported = Schemas['ProxyUsersImported'];

/** Name of the list, with which the keys of all queries of proxy users begin. */
export const PROXY_USERS = 'proxy-users';
const outdates = [[PROXY_USERS]];

export const loadUsers = list('ProxyUsers/GetProxyUserList');

/** All proxy users that match a filter, in pages of the maximum size. */
export const allUsersQuery = (asked: Parameters<typeof loadUsers>[0]) =>
  queryOptions({
    queryKey: [PROXY_USERS, 'all', asked],
    queryFn: async () => {
      const load = loadUsers(asked);
      const rows: ProxyUserView[] = [];
      let after: { After?: string } = {};
      for (let page = 1; ; page += 1) {
        const found = await load({ Page: page, PageSize: MAX_PAGE_SIZE, Sort: [], ...after });
        rows.push(...found.Rows);
        if (found.Rows.length < MAX_PAGE_SIZE || rows.length >= found.Total) return rows;
        after = found.Next ? { After: found.Next } : {};
      }
    },
  });

export const addProxyUser = change('ProxyUsers/AddProxyUser', { outdates });
export const editProxyUser = change('ProxyUsers/EditProxyUser', { outdates });
export const importProxyUsers = change('ProxyUsers/ImportProxyUsers', {
  outdates: ({ DryRun }) => (DryRun ? [] : outdates),
});

export const exportProxyUsers = file('ProxyUsers/ExportProxyUsers');

/** Changes of the state of many. */
export const stateChanges = {
  pause: change('ProxyUsers/PauseProxyUsers', { outdates }),
  resume: change('ProxyUsers/ResumeProxyUsers', { outdates }),
  reset: change('ProxyUsers/ResetProxyUsers', { outdates }),
  delete: change('ProxyUsers/DeleteProxyUsers', { outdates }),
};

const passwordKey = (proxyUserId: number) => ['proxy-user-password', proxyUserId];

/** Passwords are fetched once and kept in memory only. */
export const passwordQuery = (ProxyUserId: number) =>
  queryOptions({
    queryKey: passwordKey(ProxyUserId),
    queryFn: async ({ signal }) =>
      (await post('ProxyUsers/RevealProxyUserPassword', { ProxyUserId }, { signal })).Password,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
export const changeProxyUserPassword = change('ProxyUsers/ChangeProxyUserPassword', {
  outdates: (_, changed) => (changed ? [...outdates, passwordKey(changed.ProxyUser.ProxyUserId)] : outdates),
});

const ADDRESSES = ['proxy-user-addresses'];
export const proxyUserAddressesQuery = query(ADDRESSES, 'ProxyUsers/GetProxyUserAddressList');
export const addProxyUserAddress = (ProxyUserId: number): Change<NewAddress, unknown> => ({
  send: (entry, options) => post('ProxyUsers/AddProxyUserAddress', { ProxyUserId, ...entry }, options),
  outdates: [ADDRESSES],
});
export const deleteProxyUserAddress: Change<number, unknown> = {
  send: (AddressId, options) => post('ProxyUsers/DelProxyUserAddress', { AddressId }, options),
  outdates: [ADDRESSES],
};
