// Dark or light: the system's, until somebody chooses.
const KEY = 'theme';

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Switches, keeps the choice, and says whether it is dark now. */
export function toggleTheme(): boolean {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
  return theme === 'dark';
}
