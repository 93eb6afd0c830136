// Queries of the account's proxy users: a page, or all that match a filter.
import { post } from '@/api/client';
import type { ProxyUserFilter, ProxyUserView } from '@/api/proxyUsers';
import { MAX_PAGE_SIZE } from '@/core/constants.gen';
import type { ListParameters, LoadOptions } from '@/ui/DataGrid';

interface Asked {
  search: string;
  filter: ProxyUserFilter;
}

export const loadUsers =
  ({ search, filter }: Asked) =>
  (list: ListParameters, options?: LoadOptions) =>
    post('ProxyUsers/GetProxyUserList', { ...list, Search: search, Filter: filter }, options);

/** Fetches all proxy users that match a filter, in pages of the maximum size. */
export async function allUsers(asked: Asked): Promise<ProxyUserView[]> {
  const load = loadUsers(asked);
  const rows: ProxyUserView[] = [];
  for (let page = 1; ; page += 1) {
    const found = await load({ Page: page, PageSize: MAX_PAGE_SIZE, Sort: [] });
    rows.push(...found.Rows);
    if (found.Rows.length < MAX_PAGE_SIZE || rows.length >= found.Total) return rows;
  }
}
