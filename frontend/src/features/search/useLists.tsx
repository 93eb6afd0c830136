// Searches the account's lists on the server, and all accounts' lists for operators.
import { ArrowRight, At, Receipt, User, WarningCircle } from '@phosphor-icons/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Load } from '@/api/lists';
import { loadAccountOrders, loadAccounts } from '@/api/operator';
import { loadOrders } from '@/api/orders';
import { loadUsers } from '@/api/proxyUsers';
import { loadNodes } from '@/api/staticProxies';
import { OPERATOR_PATH, ORDER_PATH, SEARCH_PAIR_LENGTH, SEARCH_PART_LENGTH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Flag } from '@/ui/Flag';
import { useContentsText } from '@/ui/order/contents';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { placeText, useName } from '@/ui/texts';
import { type Group, hasIn, type Result } from './results';
import { useMayOpen } from './useMayOpen';

const SHOWN = 5;
const DEBOUNCE_MS = 250;

const PROXY_LIST = '/static-residential-proxies/proxy-list';
const USERS = '/residential-proxies/users';
const ALL_ORDERS = `${OPERATOR_PATH}/orders`;
const ACCOUNTS = `${OPERATOR_PATH}/accounts`;

const withSearch = (path: string, Search: string) => `${path}?${new URLSearchParams({ Search })}`;

/** Shorter queries match too much. Two Chinese characters are enough. */
export const isLongEnough = (typed: string) =>
  [...typed].length >= SEARCH_PART_LENGTH ||
  ([...typed].length === SEARCH_PAIR_LENGTH && /^\p{Script=Han}+$/u.test(typed));

const FIRST_PAGE = { Page: 1, PageSize: SHOWN, Sort: [] };

interface List<Row> {
  id: 'orders' | 'proxies' | 'users' | 'accounts';
  /** Path of the full list. */
  path: string;
  isWanted?: boolean;
  load: (asked: { Search: string; Filter: Record<string, never> }) => Load<Row>;
  /** Texts that the server searches. */
  textsOf: (row: Row) => string[];
  resultOf: (row: Row) => Omit<Result, 'id'> & { id: string | number };
}

/** Debounces the query. */
function useDebounced(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}

function useList<Row>(typed: string, paused: string, list: List<Row>): Group {
  const { t } = useTranslation(['search', 'common']);
  const mayOpen = useMayOpen();
  const isWanted = (list.isWanted ?? true) && mayOpen(list.path) && isLongEnough(typed);
  const isPaused = paused === typed;
  const query = useQuery({
    queryKey: ['search', list.path, paused],
    queryFn: ({ signal }) => list.load({ Search: paused, Filter: {} })(FIRST_PAGE, { signal, silent: true }),
    enabled: isWanted && isLongEnough(paused),
    placeholderData: keepPreviousData,
    // Failures are reported without retries.
    retry: false,
    networkMode: 'always',
  });
  const isAnswered = isPaused && !query.isPlaceholderData;
  const group: Group = { id: list.id, title: t(list.id), results: [] };
  if (!isWanted) return group;
  group.isPending = !isPaused || query.isFetching;
  const line = (id: string, icon: ReactNode, label: string, more: Partial<Result>) =>
    group.results.push({ id: `${list.id} ${id}`, icon, label, ...more });
  if (isPaused && query.isError) {
    const act = () => {
      query.refetch();
    };
    const retry = { aside: t('common:retry'), act, isAside: true, stays: true };
    line('failed', <WarningCircle size={18} />, t('failed'), retry);
    return group;
  }
  for (const row of query.data?.Rows ?? []) {
    // Keeps rows of an earlier response that match the new text.
    if (!isAnswered && !hasIn(typed, list.textsOf(row))) continue;
    const { id, icon, label, ...more } = list.resultOf(row);
    line(String(id), icon, label, more);
  }
  const { Total = 0, TotalIsAtLeast = false } = query.data ?? {};
  if (isAnswered && Total > SHOWN) {
    const label = TotalIsAtLeast ? t('showAllMore', { Max: Total }) : t('showAll', { count: Total });
    line('all', <ArrowRight size={18} />, label, { to: withSearch(list.path, typed), isAside: true });
  }
  return group;
}

/** The lists to search, as far as the user may open them. */
export function useLists(typed: string): Group[] {
  const may = useMay();
  const mayListOrders = may('Operator/GetOrderList');
  const name = useName();
  const contents = useContentsText();
  const paused = useDebounced(typed);
  const orderIcon = <Receipt size={18} />;
  // An operator's own orders are included in all orders.
  const own = useList(typed, paused, {
    id: 'orders',
    path: ORDER_PATH,
    isWanted: !mayListOrders,
    load: loadOrders,
    textsOf: (order) => [order.OrderNumber],
    resultOf: (order) => ({
      id: order.OrderId,
      icon: orderIcon,
      label: order.OrderNumber,
      note: contents(order),
      aside: <OrderStateBadge state={order.State} />,
      to: `${ORDER_PATH}?OrderId=${order.OrderId}`,
    }),
  });
  const everybodys = useList(typed, paused, {
    id: 'orders',
    path: ALL_ORDERS,
    isWanted: mayListOrders,
    load: loadAccountOrders,
    textsOf: ({ Order, Email }) => [Order.OrderNumber, Email],
    resultOf: ({ Order, Email }) => ({
      id: Order.OrderId,
      icon: orderIcon,
      label: Order.OrderNumber,
      note: Email,
      aside: <OrderStateBadge state={Order.State} />,
      to: `${ALL_ORDERS}?OrderNumber=${Order.OrderNumber}`,
    }),
  });
  const proxies = useList(typed, paused, {
    id: 'proxies',
    path: PROXY_LIST,
    load: loadNodes,
    textsOf: (node) => [node.Ip, node.Note, node.Isp],
    resultOf: (node) => {
      const city = name({ en: node.CityNameEn, zh: node.CityNameZh });
      const country = name({ en: node.CountryNameEn, zh: node.CountryNameZh });
      return {
        id: node.NodeId,
        icon: <Flag country={node.Country} />,
        label: node.Ip,
        note: [placeText(city, country), node.Note].filter(Boolean).join(' · '),
        to: withSearch(PROXY_LIST, node.Ip),
      };
    },
  });
  const users = useList(typed, paused, {
    id: 'users',
    path: USERS,
    load: loadUsers,
    textsOf: (user) => [user.Name, user.Note],
    resultOf: (user) => ({
      id: user.ProxyUserId,
      icon: <User size={18} />,
      label: user.Name,
      note: user.Note,
      to: withSearch(USERS, user.Name),
    }),
  });
  const accounts = useList(typed, paused, {
    id: 'accounts',
    path: ACCOUNTS,
    isWanted: may('Operator/GetAccountList'),
    load: loadAccounts,
    textsOf: (account) => [account.Email],
    resultOf: (account) => ({
      id: account.AccountId,
      icon: <At size={18} />,
      label: account.Email,
      note: account.Name === account.Email ? undefined : account.Name,
      to: `${ACCOUNTS}/${account.AccountId}`,
    }),
  });
  return [own, everybodys, proxies, users, accounts];
}
