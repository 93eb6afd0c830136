// Runs before the first paint, beside the app's code: sets the theme to avoid a flash, and preloads what the first screen needs.
// A separate script built by vite.config.ts, because the content security policy forbids inline scripts.
import { opensItem } from '@/app/opensItem';
import { OPERATOR, SIDEBAR_KEY, THEME_KEY, USER_STORE_KEY } from '@/core/constants.gen';
import { firstNamespaces, languagesFor, startLanguage, textsAddress } from '@/i18n/start';

function setTheme(chosen: string | null) {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
}

function askFor(
  href: string,
  rel: 'preload' | 'modulepreload',
  as: 'fetch' | 'script',
  fetchPriority: 'auto' | 'low' = 'auto',
) {
  const link = document.createElement('link');
  document.head.append(Object.assign(link, { rel, as, crossOrigin: 'anonymous', fetchPriority, href }));
}

interface StoredUser {
  Level?: number;
  State?: string;
  IsView?: boolean;
}

function storedUser(): StoredUser | null {
  // An operator's view of a customer is kept for its tab.
  const stored = sessionStorage.getItem(USER_STORE_KEY) ?? localStorage.getItem(USER_STORE_KEY);
  return stored && JSON.parse(stored).state.info;
}

/** Preloads the texts, which would otherwise be requested late. */
function askForTexts(isSignedIn: boolean) {
  const namespaces = firstNamespaces(isSignedIn, window.location.pathname);
  for (const language of languagesFor(startLanguage())) askFor(textsAddress(language, namespaces), 'preload', 'fetch');
}

/** Waits until the prerendered screen has been painted; a page without one is painted by the code. */
function whenPainted(then: () => void) {
  if (document.documentElement.dataset.screenFor !== 'user') return then();
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    then();
  }).observe({ type: 'paint', buffered: true });
}

/** Preloads the frame's code and the rules. On a slow connection they would delay the prerendered screen. */
function askForCode() {
  for (const path of __SIGNED_IN_SCRIPTS__) askFor(path, 'modulepreload', 'script');
  // The frame is drawn without the rules, so its code and texts come first.
  for (const path of __SIGNED_IN_FILES__) askFor(path, 'preload', 'fetch', 'low');
}

/** Shows the prerendered screen in the user's language. Suspended accounts, single items of a list, and views have other screens. */
function showFirstScreen(user: StoredUser | null) {
  const { dataset } = document.documentElement;
  delete dataset.prerendered;
  delete dataset.operator;
  dataset.sidebar = localStorage.getItem(SIDEBAR_KEY) ?? '';
  if (user && (user.State === 'suspended' || user.IsView || opensItem(window.location.search))) return;
  dataset.prerendered = `${user ? 'user' : 'visitor'}-${startLanguage()}`;
  // The sidebar of operators has more entries.
  if (user?.Level === OPERATOR) dataset.operator = '';
}

/** Queues presses for the app, which replays them: src/app/firstScreen.ts. Menus would not stay open until the screen is loaded. */
function keepPress(event: Event) {
  const control = (event.target as Element).closest('[data-first-screen] :is(button, a):not([aria-haspopup="menu"])');
  if (!control) return;
  event.preventDefault();
  for (const pressed of document.querySelectorAll('[data-first-screen] [aria-busy]'))
    pressed.removeAttribute('aria-busy');
  control.setAttribute('aria-busy', 'true');
}

document.addEventListener('click', keepPress);
try {
  setTheme(localStorage.getItem(THEME_KEY));
  const user = storedUser();
  showFirstScreen(user);
  askForTexts(user !== null);
  if (user) whenPainted(askForCode);
} catch {
  // Without storage, the system's theme is used and the app requests its texts itself.
  setTheme(null);
}
