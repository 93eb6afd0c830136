// The sign-in screen that came with the page (vite/prerender.ts) is replaced by the app's own, and nothing that was done on it is lost.
import { flushSync } from 'react-dom';

/** Of the screen as it came and of the app's, in the same order. */
const controlsIn = (screen: Element) => [...screen.querySelectorAll<HTMLElement>('input, button, a')];

/** Types into a field as a person would, so that the app hears of it. */
function type(field: HTMLInputElement, typed: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed);
  flushSync(() => field.dispatchEvent(new Event('input', { bubbles: true })));
}

/** Draws the app, at once: what was typed, where the focus was and what was pressed last are the same afterwards. */
export function replaceFirstScreen(root: Element, draw: () => void): void {
  const { visitor } = document.documentElement.dataset;
  const screen = root.querySelector(`[data-first-screen="${visitor}"]`);
  if (!screen) {
    draw();
    return;
  }
  const before = controlsIn(screen).map((control) => ({
    typed: control instanceof HTMLInputElement ? control.value : '',
    hasFocus: control === document.activeElement,
    wasPressed: control.ariaBusy === 'true',
  }));
  flushSync(draw);
  const controls = controlsIn(root);
  // Another screen may be shown, if somebody has signed in elsewhere meanwhile.
  if (controls.length !== before.length) return;
  controls.forEach((control, index) => {
    const { typed = '', hasFocus } = before[index] ?? {};
    if (typed && control instanceof HTMLInputElement) type(control, typed);
    if (hasFocus) control.focus();
  });
  controls[before.findIndex(({ wasPressed }) => wasPressed)]?.click();
}
