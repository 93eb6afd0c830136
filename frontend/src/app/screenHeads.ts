// Title and lead of each screen, by path: seen before the screen's code and the rules have loaded, and prerendered (vite/prerender.ts).
// A screen shows the same texts itself; e2e/first-screen.spec.ts compares them.
import { opensItem } from './opensItem';

export interface ScreenHead {
  /** Keys of the texts, each with its namespace. */
  title: string;
  lead: string;
  /** As wide as the window. */
  wide: boolean;
}

const head = (namespace: string, key = '', wide = false): ScreenHead => {
  const prefix = key ? `${namespace}:${key}.` : `${namespace}:`;
  return { title: `${prefix}title`, lead: `${prefix}lead`, wide };
};
const wideHead = (namespace: string, key = '') => head(namespace, key, true);

export const SCREEN_HEADS: Record<string, ScreenHead> = {
  '/order': wideHead('orders'),
  '/welcome/products': wideHead('welcome'),
  '/welcome/proxies': wideHead('welcome', 'proxies'),
  '/residential-proxies/users': wideHead('proxy_users'),
  '/residential-proxies/endpoint-generator': wideHead('generator'),
  '/residential-proxies/pricing': head('residential_buy', 'pricing'),
  '/residential-proxies/order': head('residential_buy', 'order'),
  '/static-residential-proxies/pricing': head('static_residential_proxies', 'pricing'),
  '/static-residential-proxies/order': head('static_residential_proxies', 'order'),
  '/static-residential-proxies/proxy-list': wideHead('static_residential_proxies', 'list'),
  '/static-residential-proxies/group-list': head('static_residential_proxies', 'groups'),
  '/static-residential-proxies/replaced': wideHead('static_residential_proxies', 'replaced'),
  '/static-residential-proxies/proxy-setup': head('static_residential_proxies', 'setup'),
  '/billing/products': head('billing', 'products'),
  '/billing/wallet': head('billing', 'wallet'),
  '/billing/transactions': wideHead('billing', 'transactions'),
  '/my-account/details': head('account', 'details'),
  '/my-account/password': head('account', 'security'),
  '/my-account/webhooks': wideHead('webhooks'),
  '/my-account/api-keys': head('account', 'keys'),
  '/referrals': head('referrals'),
  '/status': head('status'),
};

/** The head of the screen at an address, unless that opens one item of a list. */
export const screenHeadOf = (path: string, search: string): ScreenHead | undefined =>
  opensItem(search) ? undefined : SCREEN_HEADS[path];
