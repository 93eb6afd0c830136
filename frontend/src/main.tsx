// The start of the app: the visit is remembered, the language's texts are read, the first screen is shown.
import '@/ui/fonts.css';
import '@/ui/tokens.css';
import '@/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { startI18n } from '@/i18n';
import { rememberVisit } from '@/stores/visit';

rememberVisit(window.location.search, sessionStorage);

startI18n().then(() => {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
