// Keeps toasts off the control in use: bars of buttons at the bottom of the window, and the focused control.
import { useEffect, useState } from 'react';

/** Marks a bar of controls that may be at the bottom of the window. */
export const BOTTOM_BAR = { 'data-bottom-bar': '' };

/** Distance from the edges of the window, and from the control above which the toasts are shown. */
const EDGE = 16;
/** Room of a toast with two lines. */
const TOAST_HEIGHT = 70;
const TOAST_WIDTH = 400;

/** Distance of the lowest toast from the bottom of the window. */
function edgeFor(count: number): number {
  const room = { top: window.innerHeight - EDGE - count * TOAST_HEIGHT, right: EDGE + TOAST_WIDTH };
  const bars = [...document.querySelectorAll('[data-bottom-bar]')];
  const used = [...bars, document.activeElement].map((element) => element?.getBoundingClientRect());
  const tops = used.flatMap((box) => {
    const isCovered = box && box.height > 0 && box.bottom > room.top && box.left < room.right;
    // What is taller than half of the window, such as the page itself, cannot be kept free.
    return isCovered && box.top > window.innerHeight / 2 ? [box.top] : [];
  });
  return EDGE + Math.max(0, window.innerHeight - Math.min(window.innerHeight, ...tops));
}

export function useToastEdge(count: number): number {
  const [edge, setEdge] = useState(EDGE);
  useEffect(() => {
    if (count === 0) return;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setEdge(edgeFor(count)));
    };
    measure();
    const dialogs = new MutationObserver(measure);
    dialogs.observe(document.body, { childList: true, subtree: true });
    const events = ['focusin', 'resize', 'scroll'] as const;
    for (const event of events) window.addEventListener(event, measure, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      dialogs.disconnect();
      for (const event of events) window.removeEventListener(event, measure, { capture: true });
    };
  }, [count]);
  return edge;
}
