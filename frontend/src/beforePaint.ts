// Before anything is painted and beside the app's own code: the theme, so that nothing flashes, and what the first screen needs is asked for.
// It is a small script of its own, which vite.config.ts builds: the page's policy allows none within it.
import { THEME_KEY, USER_STORE_KEY } from '@/core/constants.gen';
import { firstNamespaces, languagesFor, startLanguage, textsAddress } from '@/i18n/start';

function setTheme(chosen: string | null) {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
}

function askFor(href: string, rel: 'preload' | 'modulepreload', as: 'fetch' | 'script') {
  document.head.append(Object.assign(document.createElement('link'), { rel, as, crossOrigin: 'anonymous', href }));
}

const isSignedIn = () => localStorage.getItem(USER_STORE_KEY)?.includes('"Token"') ?? false;

/** The texts; and what a user's first screen needs besides, which the app's first script would only then ask for. */
function askForTheRest() {
  const namespaces = firstNamespaces(isSignedIn(), window.location.pathname);
  for (const language of languagesFor(startLanguage())) askFor(textsAddress(language, namespaces), 'preload', 'fetch');
  if (!isSignedIn()) return;
  for (const path of __SIGNED_IN_SCRIPTS__) askFor(path, 'modulepreload', 'script');
  for (const path of __SIGNED_IN_FILES__) askFor(path, 'preload', 'fetch');
}

/** The sign-in screen, if the page has it, is for visitors, in their language. */
function showFirstScreen() {
  if (!isSignedIn()) document.documentElement.dataset.visitor = startLanguage();
}

/** What is pressed on it waits for the app, which presses it again: src/app/firstScreen.ts. */
function keepPress(event: Event) {
  const control = (event.target as Element).closest('[data-first-screen] :is(button, a)');
  if (!control) return;
  event.preventDefault();
  for (const pressed of document.querySelectorAll('[data-first-screen] [aria-busy]'))
    pressed.removeAttribute('aria-busy');
  control.setAttribute('aria-busy', 'true');
}

document.addEventListener('click', keepPress);
try {
  setTheme(localStorage.getItem(THEME_KEY));
  showFirstScreen();
  askForTheRest();
} catch {
  // Without storage the system's theme is shown, and the app asks for its texts itself.
  setTheme(null);
}
