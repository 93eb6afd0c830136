// All routes. Every screen is loaded when it is opened.
import { createBrowserRouter, type LoaderFunction, matchRoutes, Navigate, redirect } from 'react-router';
import { loadEndpoints, loadOperatorRules } from '@/core';
import { HOME_PATH, OPERATOR_PATH, ORDER_PATH } from '@/core/constants.gen';
import { AuthPage } from '@/features/auth/AuthPage';
import { useUserStore } from '@/stores/user';
import { NotFound } from './NotFound';

/** Nobody without stored user info gets past the layout; where they wanted to go is kept in the address. */
function requireUser({ request }: { request: Request }) {
  if (useUserStore.getState().info) return null;
  const { pathname, search } = new URL(request.url);
  const wanted = pathname === '/' ? '' : `?redirect=${encodeURIComponent(pathname + search)}`;
  return redirect(`/login${wanted}`);
}

interface Screen {
  Component: React.ComponentType;
  /** Asks for what the screen is going to show. */
  loader?: LoaderFunction;
}

const screen = (load: () => Promise<Screen>) => ({ lazy: load });
/** A screen that shows endpoint strings, whose rules are loaded beside it. */
const screenWithEndpoints = (load: () => Promise<Screen>) =>
  screen(async () => (await Promise.all([load(), loadEndpoints()]))[0]);
/** A screen of the operator's, whose rules are loaded beside it. */
const screenWithOperatorRules = (load: () => Promise<Screen>) =>
  screen(async () => (await Promise.all([load(), loadOperatorRules()]))[0]);
const notBuilt = screen(async () => ({ Component: (await import('@/features/not-built/NotBuiltPage')).NotBuiltPage }));

export const router = createBrowserRouter([
  { path: '/login', element: <AuthPage face="login" /> },
  { path: '/sign-up', element: <AuthPage face="signUp" /> },
  { path: '/password-reset', element: <AuthPage face="passwordReset" /> },
  {
    id: 'home',
    path: '/',
    loader: requireUser,
    shouldRevalidate: () => true,
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('./Layout')).Layout }),
    children: [
      { index: true, element: <Navigate to={HOME_PATH} replace /> },
      {
        path: ORDER_PATH,
        ...screen(async () => ({ Component: (await import('@/features/orders/OrdersPage')).OrdersPage })),
      },
      {
        path: 'static-residential-proxies',
        children: [
          { index: true, element: <Navigate to="pricing" replace /> },
          {
            path: 'pricing',
            ...screen(async () => ({
              Component: (await import('@/features/static-residential-proxies/PricingPage')).PricingPage,
            })),
          },
          {
            path: 'order',
            ...screen(async () => ({
              Component: (await import('@/features/static-residential-proxies/OrderPage')).OrderPage,
            })),
          },
          {
            path: 'proxy-list',
            ...screenWithEndpoints(async () => {
              const module = await import('@/features/static-residential-proxies/ProxyListPage');
              return { Component: module.ProxyListPage, loader: module.preloadNodes };
            }),
          },
          {
            path: 'group-list',
            ...screen(async () => ({
              Component: (await import('@/features/static-residential-proxies/GroupListPage')).GroupListPage,
            })),
          },
          {
            path: 'replaced',
            ...screen(async () => ({
              Component: (await import('@/features/static-residential-proxies/ReplacedPage')).ReplacedPage,
            })),
          },
          {
            path: 'proxy-setup',
            ...screenWithEndpoints(async () => ({
              Component: (await import('@/features/static-residential-proxies/ProxySetupPage')).ProxySetupPage,
            })),
          },
        ],
      },
      {
        path: 'billing',
        children: [
          { index: true, element: <Navigate to="wallet" replace /> },
          { path: 'billing-products', element: <Navigate to="/billing/products" replace /> },
          { path: 'billing-wallet', element: <Navigate to="/billing/wallet" replace /> },
          { path: 'billing-transactions', element: <Navigate to="/billing/transactions" replace /> },
          {
            path: 'products',
            ...screen(async () => ({ Component: (await import('@/features/billing/ProductsPage')).ProductsPage })),
          },
          {
            path: 'wallet',
            ...screen(async () => ({ Component: (await import('@/features/billing/WalletPage')).WalletPage })),
          },
          {
            path: 'transactions',
            ...screen(async () => ({
              Component: (await import('@/features/billing/TransactionsPage')).TransactionsPage,
            })),
          },
        ],
      },
      {
        path: OPERATOR_PATH,
        children: [
          { index: true, element: <Navigate to="accounts" replace /> },
          {
            path: 'accounts',
            ...screenWithOperatorRules(async () => ({
              Component: (await import('@/features/accounts/AccountsPage')).AccountsPage,
            })),
          },
        ],
      },
      ...['welcome', 'residential-proxies', 'my-account'].map((path) => ({
        path,
        children: [
          { index: true, ...notBuilt },
          { path: ':screen', ...notBuilt },
        ],
      })),
      { path: 'referrals', ...notBuilt },
    ],
  },
  { path: '*', element: <NotFound /> },
]);

/** Loads the code of the screen at a path, so that whoever goes there does not wait for it. */
export async function preload(path: string): Promise<void> {
  const matches = matchRoutes(router.routes, path) ?? [];
  const loads = matches.map(({ route }) => (typeof route.lazy === 'function' ? route.lazy() : undefined));
  // What cannot be loaded now is tried again, and said, when somebody goes there.
  await Promise.allSettled(loads);
}
