// All routes. Each screen is a lazily loaded chunk.
import type { ComponentType } from 'react';
import { createBrowserRouter, type LoaderFunction, matchRoutes, Navigate, Outlet, redirect } from 'react-router';
import { loadScreenRules } from '@/core';
import { HOME_PATH, OPERATOR_PATH, ORDER_PATH } from '@/core/constants.gen';
import { AuthPage } from '@/features/auth/AuthPage';
import { startPath, useUserStore } from '@/stores/user';
import { ScreenError } from './ScreenError';

/** Redirects to sign-in without a stored user; the target is kept in the address. */
function requireUser({ request }: { request: Request }) {
  if (useUserStore.getState().info) return null;
  const { pathname, search } = new URL(request.url);
  const wanted = pathname === '/' ? '' : `?redirect=${encodeURIComponent(pathname + search)}`;
  return redirect(`/login${wanted}`);
}

interface Frame {
  Layout: ComponentType<{ preload: typeof preload }>;
  LoadingScreen: ComponentType;
}

// The frame is rendered before the rules and the first screen are loaded, and stays mounted when they are, with the search that is typed meanwhile.
// Without React.lazy: React shows what has suspended at the earliest 300 ms after the fallback.
let frame: Frame | undefined;

/** Loads the frame, for the first render. */
export async function loadFrame(): Promise<void> {
  const [{ Layout }, { LoadingScreen }] = await Promise.all([import('./Layout'), import('./LoadingScreen')]);
  frame = { Layout, LoadingScreen };
}

/** Without the frame there are only its errors to show, and redirects. */
const Home = () => (frame ? <frame.Layout preload={preload} /> : <Outlet />);

interface Screen {
  Component: ComponentType;
  /** Prefetches the screen's data. */
  loader?: LoaderFunction;
}

/** Skips prefetching on screens that a suspended account cannot open. */
const unlessSuspended = (loader?: LoaderFunction): LoaderFunction | undefined =>
  loader && ((asked) => (useUserStore.getState().info?.State === 'suspended' ? null : loader(asked)));

const screen = (load: () => Promise<Screen>) => ({ lazy: load });
/** A screen that needs more rules: they are loaded in parallel with its data. */
const screenWithRules = (load: () => Promise<Screen>) => ({
  lazy: {
    Component: async () => (await Promise.all([load(), loadScreenRules()]))[0].Component,
    loader: async () => unlessSuspended((await load()).loader),
  },
});

/** The operators' screen with which the role of the user begins. */
const StaffStart = () => <Navigate to={startPath()} replace />;

/** Catches unknown addresses below a known entry. */
const unknownPath = {
  path: '*',
  ...screen(async () => ({ Component: (await import('./NotFound')).NotFoundInLayout })),
};

export const router = createBrowserRouter([
  { path: '/login', element: <AuthPage form="login" /> },
  { path: '/sign-up', element: <AuthPage form="signUp" /> },
  { path: '/password-reset', element: <AuthPage form="passwordReset" /> },
  {
    path: '/unsubscribe',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('@/features/auth/UnsubscribePage')).UnsubscribePage }),
  },
  {
    path: '/email-change',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('@/features/auth/EmailChangePage')).EmailChangePage }),
  },
  {
    path: '/terms',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('@/features/auth/LegalPage')).TermsPage }),
  },
  {
    path: '/privacy',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('@/features/auth/LegalPage')).PrivacyPage }),
  },
  {
    id: 'home',
    path: '/',
    errorElement: <ScreenError />,
    Component: Home,
    children: [
      {
        // At once if the frame is there: it runs with every change of the address, which must not be late.
        loader: (asked) => requireUser(asked) ?? (frame ? null : loadFrame().then(() => null)),
        shouldRevalidate: () => true,
        HydrateFallback: () => frame && <frame.LoadingScreen />,
        // Errors are rendered in place of the screen, inside the frame.
        errorElement: <ScreenError />,
        children: [
          { index: true, element: <Navigate to={HOME_PATH} replace /> },
          {
            path: ORDER_PATH,
            ...screen(async () => ({ Component: (await import('./OrderScreen')).OrderScreen })),
          },
          {
            path: 'welcome',
            children: [
              { index: true, element: <Navigate to="products" replace /> },
              {
                path: 'products',
                ...screenWithRules(async () => {
                  const [{ ProductsPage }, { preloadOverview }] = await Promise.all([
                    import('@/features/welcome/ProductsPage'),
                    import('@/features/welcome/useOverview'),
                  ]);
                  return { Component: ProductsPage, loader: preloadOverview };
                }),
              },
              {
                path: 'proxies',
                ...screenWithRules(async () => {
                  const [{ ProxiesPage }, { preloadOverview }] = await Promise.all([
                    import('@/features/welcome/ProxiesPage'),
                    import('@/features/welcome/useOverview'),
                  ]);
                  return { Component: ProxiesPage, loader: preloadOverview };
                }),
              },
              unknownPath,
            ],
          },
          {
            path: 'residential-proxies',
            children: [
              { index: true, element: <Navigate to="users" replace /> },
              {
                path: 'users',
                ...screenWithRules(async () => {
                  const [{ UsersScreen }, { preloadUsers }] = await Promise.all([
                    import('./UsersScreen'),
                    import('@/features/residential-proxies/users/UsersPage'),
                  ]);
                  return { Component: UsersScreen, loader: preloadUsers };
                }),
              },
              {
                path: 'endpoint-generator',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/residential-proxies/generator/GeneratorPage')).GeneratorPage,
                })),
              },
              {
                path: 'pricing',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/residential-proxies/buy/PricingPage')).PricingPage,
                })),
              },
              {
                path: 'order',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/residential-proxies/buy/OrderPage')).OrderPage,
                })),
              },
              unknownPath,
            ],
          },
          {
            path: 'static-residential-proxies',
            children: [
              { index: true, element: <Navigate to="pricing" replace /> },
              {
                path: 'pricing',
                ...screen(async () => ({
                  Component: (await import('@/features/static-residential-proxies/buy/PricingPage')).PricingPage,
                })),
              },
              {
                path: 'order',
                ...screen(async () => ({
                  Component: (await import('@/features/static-residential-proxies/buy/OrderPage')).OrderPage,
                })),
              },
              {
                path: 'proxy-list',
                ...screenWithRules(async () => {
                  const [{ ProxyListScreen }, { preloadNodes }] = await Promise.all([
                    import('./ProxyListScreen'),
                    import('@/features/static-residential-proxies/nodes/ProxyListPage'),
                  ]);
                  return { Component: ProxyListScreen, loader: preloadNodes };
                }),
              },
              {
                path: 'group-list',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/static-residential-proxies/nodes/GroupListPage')).GroupListPage,
                })),
              },
              {
                path: 'replaced',
                ...screen(async () => ({
                  Component: (await import('@/features/static-residential-proxies/nodes/ReplacedPage')).ReplacedPage,
                })),
              },
              {
                path: 'proxy-setup',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/static-residential-proxies/setup/ProxySetupPage'))
                    .ProxySetupPage,
                })),
              },
              unknownPath,
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
              unknownPath,
            ],
          },
          {
            path: 'referrals',
            children: [
              {
                index: true,
                ...screen(async () => {
                  const module = await import('@/features/referrals/ReferralsPage');
                  return { Component: module.ReferralsPage, loader: module.preloadReferrals };
                }),
              },
              unknownPath,
            ],
          },
          {
            path: 'my-account',
            children: [
              { index: true, element: <Navigate to="details" replace /> },
              {
                path: 'details',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/account/details/DetailsPage')).DetailsPage,
                })),
              },
              {
                path: 'password',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/account/security/PasswordPage')).PasswordPage,
                })),
              },
              {
                path: 'webhooks',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/webhooks/WebhooksPage')).WebhooksPage,
                })),
              },
              {
                path: 'api-keys',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/account/api-keys/ApiKeysPage')).ApiKeysPage,
                })),
              },
              unknownPath,
            ],
          },
          {
            path: OPERATOR_PATH,
            children: [
              { index: true, Component: StaffStart },
              {
                path: 'orders',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/AccountOrdersPage')).AccountOrdersPage,
                })),
              },
              {
                path: 'accounts',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/accounts/AccountsPage')).AccountsPage,
                })),
              },
              {
                path: 'accounts/:accountId',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/accounts/AccountPage')).AccountPage,
                })),
              },
              {
                path: 'accounts/:accountId/view',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/accounts/ViewPage')).ViewPage,
                })),
              },
              {
                path: 'referrals',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/referrals/ReferralsPage')).ReferralsPage,
                })),
              },
              {
                path: 'proxy-servers',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/proxy-servers/ProxyServersPage')).ProxyServersPage,
                })),
              },
              {
                path: 'business',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/business/BusinessPage')).BusinessPage,
                })),
              },
              {
                path: 'mails',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/mails/MailsPage')).MailsPage,
                })),
              },
              {
                path: 'system',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/system/SystemPage')).SystemPage,
                })),
              },
              {
                path: 'payments',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/payments/PaymentsPage')).PaymentsPage,
                })),
              },
              {
                path: 'invoices',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/payments/InvoicesPage')).InvoicesPage,
                })),
              },
              {
                path: 'inventory',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/inventory/InventoryPage')).InventoryPage,
                })),
              },
              {
                path: 'prices',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/prices/PricesPage')).PricesPage,
                })),
              },
              {
                path: 'coupons',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/coupons/CouponsPage')).CouponsPage,
                })),
              },
              {
                path: 'announcements',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/announcements/AnnouncementsPage')).AnnouncementsPage,
                })),
              },
              {
                path: 'audit-log',
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/operator/audit-log/AuditLogPage')).AuditLogPage,
                })),
              },
              ...['support', 'support/:accountId'].map((path) => ({
                path,
                ...screenWithRules(async () => ({
                  Component: (await import('@/features/support/operator/ConversationsPage')).ConversationsPage,
                })),
              })),
              unknownPath,
            ],
          },
          {
            path: 'status',
            ...screen(async () => ({ Component: (await import('@/features/status/StatusPage')).StatusPage })),
          },
          {
            path: 'contact-support',
            ...screen(async () => ({ Component: (await import('./ContactSupport')).ContactSupport })),
          },
        ],
      },
    ],
  },
  {
    path: '*',
    HydrateFallback: () => null,
    lazy: async () => ({ Component: (await import('./NotFound')).NotFound }),
  },
]);

/** Preloads the code of the screen at a path. */
export async function preload(path: string): Promise<void> {
  const matches = matchRoutes(router.routes, path) ?? [];
  const loads = matches.flatMap(({ route: { lazy } }) => {
    if (!lazy) return [];
    const parts = typeof lazy === 'function' ? [lazy] : Object.values(lazy).filter((part) => part !== undefined);
    return parts.map((part) => part());
  });
  await Promise.allSettled(loads);
}
