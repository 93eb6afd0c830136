// Before anything is painted: the theme that was chosen last time, else the system's, so that nothing flashes.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Without storage the system's theme is shown.
  }
  const root = document.documentElement;
  root.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
})();
