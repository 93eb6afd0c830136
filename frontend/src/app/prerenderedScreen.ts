/** The prerendered screen that src/beforePaint.ts has chosen to show, if the page has one. */
export function prerenderedScreen(): Element | null {
  const { prerendered } = document.documentElement.dataset;
  return prerendered ? document.querySelector(`[data-first-screen="${prerendered}"]`) : null;
}
