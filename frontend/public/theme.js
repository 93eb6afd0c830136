// Before anything is painted: the theme that was chosen last time, so that nothing flashes.
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the system's theme is shown.
  }
})();
