// Entry point of the gallery: the app's rules, texts and theme, with a fake server.
import '@/ui/fonts.css';
import '@/ui/tokens.css';
import '@/ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadCore, loadScreenRules } from '@/core';
import { THEME_KEY } from '@/core/constants.gen';
import { answerCalls } from './answers';
import { Gallery } from './Gallery';
import { startTexts } from './texts';

function systemTheme() {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

document.documentElement.dataset.theme = localStorage.getItem(THEME_KEY) ?? systemTheme();
answerCalls();
Promise.all([loadCore(), loadScreenRules(), startTexts()]).then(() => {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  createRoot(root).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  );
});
