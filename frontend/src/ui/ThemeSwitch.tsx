// Dark and light theme: the system's until the user chooses. beforePaint.ts applies it before the first paint.
import { MoonStars, Sun } from '@phosphor-icons/react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { THEME_KEY } from '@/core/constants.gen';
import { IconButton } from './Button';
import s from './themeSwitch.module.css';

type Theme = 'light' | 'dark';

const system = () => window.matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (system().matches ? 'dark' : 'light');
const current = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

const prerendered = (): Theme => 'light';

function show(theme: Theme) {
  document.documentElement.dataset.theme = theme;
}

/** Choosing the system's theme means following the system again. */
function choose(theme: Theme) {
  show(theme);
  if (theme === systemTheme()) localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, theme);
}

function subscribe(onChange: () => void) {
  const media = system();
  const follow = () => {
    if (!localStorage.getItem(THEME_KEY)) show(systemTheme());
  };
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  media.addEventListener('change', follow);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', follow);
  };
}

/** Whether the theme is dark, and a function that switches it. */
export function useTheme() {
  const isDark = useSyncExternalStore(subscribe, current, prerendered) === 'dark';
  return { isDark, change: () => choose(isDark ? 'light' : 'dark') };
}

export function ThemeSwitch() {
  const { t } = useTranslation();
  const { isDark, change } = useTheme();
  return (
    <IconButton label={isDark ? t('lightTheme') : t('darkTheme')} onClick={change}>
      {/* Styles show one of them, so that the prerendered screen is right before the theme is known. */}
      <Sun size={18} className={s.ofDark} />
      <MoonStars size={18} className={s.ofLight} />
    </IconButton>
  );
}
