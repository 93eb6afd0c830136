// The first texts: in which language, which of them, and where they are. They are asked for before the app's own code has come, so
// this is all that src/beforePaint.ts takes of the app.
import { DEFAULT_LANGUAGE, LANGUAGE_KEY, LANGUAGES, type Language } from '@/core/constants.gen';

/** Every other value than a language's own name gives the default. */
export function asLanguage(choice: string | null): Language {
  return LANGUAGES.find((language) => language === choice) ?? DEFAULT_LANGUAGE;
}

/** The language that the address asks for, which is then kept; else the one kept from last time. */
export function startLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(LANGUAGE_KEY);
  if (!asked) return asLanguage(localStorage.getItem(LANGUAGE_KEY));
  const language = asLanguage(asked);
  localStorage.setItem(LANGUAGE_KEY, language);
  return language;
}

/** The languages whose texts are read: what one lacks, English has. */
export const languagesFor = (language: Language): Language[] => [...new Set<Language>([language, DEFAULT_LANGUAGE])];

/** By the beginning of a screen's address: the texts of the screens under it, where the frame has none of them. */
const TEXTS_OF_SCREENS: Record<string, string> = {
  billing: 'billing',
  'my-account/api-keys': 'account',
  'my-account/details': 'account',
  'my-account/password': 'account',
  'residential-proxies/users': 'proxy_users',
  'residential-proxies/endpoint-generator': 'generator',
  'static-residential-proxies': 'static_residential_proxies',
};

/** The namespaces that the first screen shows: a visitor signs in, a user sees the frame around every screen and a screen in it. */
export function firstNamespaces(isSignedIn: boolean, path: string): string[] {
  if (!isSignedIn) return ['common', 'errors', 'auth'];
  const [, section = '', screen = ''] = path.split('/');
  const ofScreen = TEXTS_OF_SCREENS[section] ?? TEXTS_OF_SCREENS[`${section}/${screen}`];
  return ['common', 'errors', 'nav', 'orders', ...(ofScreen ? [ofScreen] : [])];
}

/** Where texts are: of one namespace, or of several in one file with a member for each. */
export const textsAddress = (language: string, namespaces: string[]) =>
  `/locales/${language}/${namespaces.join('+')}.json?v=${__BUILD_STAMP__}`;
