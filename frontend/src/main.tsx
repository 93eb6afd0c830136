// Entry point: stores visit parameters, loads the texts, and renders the first screen.
import '@/app/firstPaint';
import '@/ui/fonts.css';
import '@/ui/tokens.css';
import '@/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { replaceFirstScreen } from '@/app/firstScreen';
import { loadFrame } from '@/app/router';
import { loadCore } from '@/core';
import { startI18n } from '@/i18n';
import { firstNamespaces } from '@/i18n/start';
import { useUserStore } from '@/stores/user';
import { rememberVisit } from '@/stores/visit';

rememberVisit(window.location.search, sessionStorage);

const isSignedIn = useUserStore.getState().info !== null;
// A signed-in user's screens wait for the rules; visitors' screens do not.
if (isSignedIn) loadCore().catch(() => {});
const frame = isSignedIn ? loadFrame().catch(() => {}) : undefined;
Promise.all([startI18n(firstNamespaces(isSignedIn, window.location.pathname)), frame]).then(() => {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  replaceFirstScreen(root, () => createRoot(root).render(app));
});
