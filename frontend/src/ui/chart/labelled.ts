// Selects the chart slots whose labels are shown.
import type { Slot } from './parts';

/** All slots if they fit; otherwise the marked ones; otherwise every nth. A label needs `pixels`. */
export function labelled(slots: readonly Slot[], width: number, pixels: number): number[] {
  const room = Math.max(1, Math.floor(width / pixels));
  const all = slots.map((_, index) => index);
  const marks = all.filter((index) => slots[index]?.isMark);
  const wanted = all.length > room && marks.length > 1 ? marks : all;
  const step = Math.ceil(wanted.length / room);
  return wanted.filter((_, index) => index % step === 0);
}
