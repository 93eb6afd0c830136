// The first texts: their language, namespaces and URLs. Also used by src/beforePaint.ts, which requests them before the app's code
// has loaded, so this module must stay small.
import { DEFAULT_LANGUAGE, LANGUAGE_KEY, LANGUAGES, type Language } from '@/core/constants.gen';

/** Unknown values fall back to the default language. */
export function asLanguage(choice: string | null): Language {
  return LANGUAGES.find((language) => language === choice) ?? DEFAULT_LANGUAGE;
}

/** The language in the address, which is then stored; otherwise the stored one. */
export function startLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(LANGUAGE_KEY);
  if (!asked) return asLanguage(localStorage.getItem(LANGUAGE_KEY));
  const language = asLanguage(asked);
  localStorage.setItem(LANGUAGE_KEY, language);
  return language;
}

/** Languages to load: English is the fallback for missing texts. */
export const languagesFor = (language: Language): Language[] => [...new Set<Language>([language, DEFAULT_LANGUAGE])];

/** Namespaces that screens need beyond the frame's, by path: a screen's own entry, or that of its section. */
const TEXTS_OF_SCREENS: Record<string, string[]> = {
  welcome: ['welcome'],
  'residential-proxies/users': ['proxy_users', 'residential_buy'],
  'residential-proxies/endpoint-generator': ['generator', 'proxy_test'],
  'residential-proxies': ['residential_buy'],
  'static-residential-proxies': ['static_residential_proxies'],
  'static-residential-proxies/proxy-setup': ['static_residential_proxies', 'proxy_test'],
  billing: ['billing'],
  'billing/transactions': ['billing', 'invoices'],
  'my-account/api-keys': ['account'],
  'my-account/details': ['account', 'billing'],
  'my-account/password': ['account', 'security'],
  'my-account/webhooks': ['webhooks'],
  referrals: ['referrals'],
  status: ['status'],
  terms: ['legal'],
  privacy: ['legal'],
  'operator/accounts': ['accounts', 'audit', 'billing', 'invoices'],
  'operator/announcements': ['announcements'],
  'operator/audit-log': ['audit', 'accounts'],
  'operator/business': ['business'],
  'operator/coupons': ['coupons'],
  'operator/inventory': ['inventory'],
  'operator/invoices': ['payments', 'invoices'],
  'operator/mails': ['mails'],
  'operator/payments': ['payments'],
  'operator/prices': ['prices', 'audit'],
  'operator/proxy-servers': ['proxy_servers'],
  'operator/referrals': ['referrals'],
  'operator/support': ['support'],
  'operator/system': ['system', 'doctor'],
};

/** Namespaces of the first screen: sign-in for visitors, frame and screen for signed-in users. */
export function firstNamespaces(isSignedIn: boolean, path: string): string[] {
  if (!isSignedIn) return ['common', 'errors', 'auth'];
  const [, section = '', screen = ''] = path.split('/');
  const ofScreen = TEXTS_OF_SCREENS[`${section}/${screen}`] ?? TEXTS_OF_SCREENS[section] ?? [];
  return ['common', 'errors', 'nav', 'orders', ...ofScreen];
}

/** URL of one namespace, or of several in one file, of the version of the texts that the server has written into the page. */
export const textsAddress = (language: string, namespaces: string[]) =>
  `/locales/${language}/${namespaces.join('+')}.json?v=${document.documentElement.dataset.texts ?? __BUILD_STAMP__}`;
