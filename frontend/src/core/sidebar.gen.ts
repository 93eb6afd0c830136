// Generated from core by `make gen`: change core/src/permission.rs instead.
export interface SidebarChild { readonly Key: string; readonly Path: string }
export interface SidebarEntry extends SidebarChild {
  readonly Group: number;
  readonly Action: 'navigate' | 'open_help_center' | 'open_chat';
  readonly Children: readonly SidebarChild[];
}
const OF_LEVEL_0: readonly SidebarEntry[] = [
  { Key: 'welcome', Path: '/welcome', Group: 1, Action: 'navigate', Children: [{ Key: 'products', Path: '/welcome/products' }, { Key: 'proxies', Path: '/welcome/proxies' }] },
  { Key: 'residential-proxies', Path: '/residential-proxies', Group: 1, Action: 'navigate', Children: [{ Key: 'users', Path: '/residential-proxies/users' }, { Key: 'endpoint-generator', Path: '/residential-proxies/endpoint-generator' }, { Key: 'pricing', Path: '/residential-proxies/pricing' }, { Key: 'order', Path: '/residential-proxies/order' }] },
  { Key: 'static-residential-proxies', Path: '/static-residential-proxies', Group: 1, Action: 'navigate', Children: [{ Key: 'pricing', Path: '/static-residential-proxies/pricing' }, { Key: 'order', Path: '/static-residential-proxies/order' }, { Key: 'proxy-list', Path: '/static-residential-proxies/proxy-list' }, { Key: 'group-list', Path: '/static-residential-proxies/group-list' }, { Key: 'replaced', Path: '/static-residential-proxies/replaced' }, { Key: 'proxy-setup', Path: '/static-residential-proxies/proxy-setup' }] },
  { Key: 'orders', Path: '/order', Group: 1, Action: 'navigate', Children: [] },
  { Key: 'billing', Path: '/billing', Group: 2, Action: 'navigate', Children: [{ Key: 'billing-products', Path: '/billing/products' }, { Key: 'billing-wallet', Path: '/billing/wallet' }, { Key: 'billing-transactions', Path: '/billing/transactions' }] },
  { Key: 'my-account', Path: '/my-account', Group: 2, Action: 'navigate', Children: [{ Key: 'details', Path: '/my-account/details' }, { Key: 'password', Path: '/my-account/password' }, { Key: 'webhooks', Path: '/my-account/webhooks' }, { Key: 'api-keys', Path: '/my-account/api-keys' }] },
  { Key: 'referrals', Path: '/referrals', Group: 2, Action: 'navigate', Children: [] },
  { Key: 'help-center', Path: '/help-center', Group: 3, Action: 'open_help_center', Children: [] },
  { Key: 'contact-support', Path: '/contact-support', Group: 3, Action: 'open_chat', Children: [] },
];
const OF_LEVEL_2: readonly SidebarEntry[] = [
  { Key: 'operator', Path: '/operator', Group: 0, Action: 'navigate', Children: [{ Key: 'operator-orders', Path: '/operator/orders' }, { Key: 'operator-accounts', Path: '/operator/accounts' }, { Key: 'operator-proxy-servers', Path: '/operator/proxy-servers' }, { Key: 'operator-referrals', Path: '/operator/referrals' }, { Key: 'operator-support', Path: '/operator/support' }, { Key: 'operator-audit-log', Path: '/operator/audit-log' }] },
  { Key: 'welcome', Path: '/welcome', Group: 1, Action: 'navigate', Children: [{ Key: 'products', Path: '/welcome/products' }, { Key: 'proxies', Path: '/welcome/proxies' }] },
  { Key: 'residential-proxies', Path: '/residential-proxies', Group: 1, Action: 'navigate', Children: [{ Key: 'users', Path: '/residential-proxies/users' }, { Key: 'endpoint-generator', Path: '/residential-proxies/endpoint-generator' }, { Key: 'pricing', Path: '/residential-proxies/pricing' }, { Key: 'order', Path: '/residential-proxies/order' }] },
  { Key: 'static-residential-proxies', Path: '/static-residential-proxies', Group: 1, Action: 'navigate', Children: [{ Key: 'pricing', Path: '/static-residential-proxies/pricing' }, { Key: 'order', Path: '/static-residential-proxies/order' }, { Key: 'proxy-list', Path: '/static-residential-proxies/proxy-list' }, { Key: 'group-list', Path: '/static-residential-proxies/group-list' }, { Key: 'replaced', Path: '/static-residential-proxies/replaced' }, { Key: 'proxy-setup', Path: '/static-residential-proxies/proxy-setup' }] },
  { Key: 'orders', Path: '/order', Group: 1, Action: 'navigate', Children: [] },
  { Key: 'billing', Path: '/billing', Group: 2, Action: 'navigate', Children: [{ Key: 'billing-products', Path: '/billing/products' }, { Key: 'billing-wallet', Path: '/billing/wallet' }, { Key: 'billing-transactions', Path: '/billing/transactions' }] },
  { Key: 'my-account', Path: '/my-account', Group: 2, Action: 'navigate', Children: [{ Key: 'details', Path: '/my-account/details' }, { Key: 'password', Path: '/my-account/password' }, { Key: 'webhooks', Path: '/my-account/webhooks' }, { Key: 'api-keys', Path: '/my-account/api-keys' }] },
  { Key: 'referrals', Path: '/referrals', Group: 2, Action: 'navigate', Children: [] },
  { Key: 'help-center', Path: '/help-center', Group: 3, Action: 'open_help_center', Children: [] },
  { Key: 'contact-support', Path: '/contact-support', Group: 3, Action: 'open_chat', Children: [] },
];
export const SIDEBARS: Record<number, readonly SidebarEntry[]> = { 0: OF_LEVEL_0, 1: OF_LEVEL_0, 2: OF_LEVEL_2 };
export const SIDEBAR_WHILE_SUSPENDED: readonly SidebarEntry[] = [
  { Key: 'orders', Path: '/order', Group: 1, Action: 'navigate', Children: [] },
  { Key: 'billing', Path: '/billing', Group: 2, Action: 'navigate', Children: [{ Key: 'billing-wallet', Path: '/billing/wallet' }, { Key: 'billing-transactions', Path: '/billing/transactions' }] },
  { Key: 'my-account', Path: '/my-account', Group: 2, Action: 'navigate', Children: [{ Key: 'details', Path: '/my-account/details' }] },
  { Key: 'help-center', Path: '/help-center', Group: 3, Action: 'open_help_center', Children: [] },
  { Key: 'contact-support', Path: '/contact-support', Group: 3, Action: 'open_chat', Children: [] },
];
/** All addresses of the app: the server answers 404 for any other. */
export const SCREENS: readonly string[] = [
  '/login',
  '/sign-up',
  '/password-reset',
  '/email-change',
  '/unsubscribe',
  '/',
  '/order',
  '/billing/billing-products',
  '/billing/billing-wallet',
  '/billing/billing-transactions',
  '/operator/accounts/:accountId',
  '/operator/accounts/:accountId/view',
  '/operator/support/:accountId',
  '/status',
  '/welcome',
  '/welcome/products',
  '/welcome/proxies',
  '/residential-proxies',
  '/residential-proxies/users',
  '/residential-proxies/endpoint-generator',
  '/residential-proxies/pricing',
  '/residential-proxies/order',
  '/static-residential-proxies',
  '/static-residential-proxies/pricing',
  '/static-residential-proxies/order',
  '/static-residential-proxies/proxy-list',
  '/static-residential-proxies/group-list',
  '/static-residential-proxies/replaced',
  '/static-residential-proxies/proxy-setup',
  '/billing',
  '/billing/products',
  '/billing/wallet',
  '/billing/transactions',
  '/my-account',
  '/my-account/details',
  '/my-account/password',
  '/my-account/webhooks',
  '/my-account/api-keys',
  '/referrals',
  '/contact-support',
  '/operator',
  '/operator/orders',
  '/operator/accounts',
  '/operator/proxy-servers',
  '/operator/referrals',
  '/operator/support',
  '/operator/audit-log',
];
