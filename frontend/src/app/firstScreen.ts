// Replaces the prerendered screen (vite/prerender.ts) with the app's own and carries the input over.
import { flushSync } from 'react-dom';
import { prerenderedScreen } from './prerenderedScreen';

/** The visible controls of both screens, in the same order. */
const controlsIn = (screen: Element) =>
  [...screen.querySelectorAll<HTMLElement>('input, button, a')].filter(
    (control) => control.getClientRects().length > 0,
  );

/** Sets a field's value so that React notices. */
function type(field: HTMLInputElement, typed: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed);
  flushSync(() => field.dispatchEvent(new Event('input', { bubbles: true })));
}

/** Renders synchronously, then restores typed values, focus, and the last press. */
export function replaceFirstScreen(root: Element, draw: () => void): void {
  const screen = prerenderedScreen();
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
  // A different screen is rendered if the user has signed in in another tab.
  if (controls.length !== before.length) return;
  controls.forEach((control, index) => {
    const { typed = '', hasFocus } = before[index] ?? {};
    if (typed && control instanceof HTMLInputElement) type(control, typed);
    if (hasFocus) control.focus();
  });
  controls[before.findIndex(({ wasPressed }) => wasPressed)]?.click();
}
