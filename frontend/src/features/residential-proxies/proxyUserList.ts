// How the proxy users of the account are asked for: by the page, or all that match.
import { type ProxyUserFilter, type ProxyUserView, postProxyUsers } from '@/api/proxyUsers';
import type { ListParameters } from '@/ui/DataGrid';

interface Asked {
  search: string;
  filter: ProxyUserFilter;
}

export const loadUsers =
  ({ search, filter }: Asked) =>
  (list: ListParameters, signal?: AbortSignal) =>
    postProxyUsers('ProxyUsers/GetProxyUserList', { ...list, Search: search, Filter: filter }, { signal });

/** As many rows as a page can have: an account has few pages of proxy users. */
const LARGEST_PAGE = 200;

/** Everything that a filter matches. */
export async function allUsers(asked: Asked): Promise<ProxyUserView[]> {
  const load = loadUsers(asked);
  const rows: ProxyUserView[] = [];
  for (let page = 1; ; page += 1) {
    const found = await load({ Page: page, PageSize: LARGEST_PAGE, Sort: [] });
    rows.push(...found.Rows);
    if (found.Rows.length < LARGEST_PAGE || rows.length >= found.Total) return rows;
  }
}
