// Closing a dialog by accident: with Escape, or with a click beside it. What was typed, or is shown only once, would be lost.
import { type FocusEvent, useRef, useState } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

const TYPED = new Set(['text', 'email', 'password', 'url', 'tel', 'number']);

/** Fields that are typed into. Searches only narrow what is shown. */
const isTyped = (element: Element): element is Field =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && TYPED.has(element.type));

/** `isHeld`: nothing closes the dialog now. `isAsking`: whether to ask before it closes. */
export function useLeaving(isShownOnce: boolean, isHeld: boolean) {
  const [isAsking, setAsking] = useState(false);
  const initial = useRef(new Map<Field, string>());
  const isChanged = () => [...initial.current].some(([field, value]) => field.isConnected && field.value !== value);
  return {
    isAsking: isAsking && !isHeld,
    stay: () => setAsking(false),
    /** A dialog that opens again has lost nothing yet. */
    begin: () => {
      initial.current.clear();
      setAsking(false);
    },
    /** Notes what a field held when it was first used. */
    onFocusCapture: ({ target }: FocusEvent<HTMLElement>) => {
      if (isTyped(target) && !initial.current.has(target)) initial.current.set(target, target.value);
    },
    /** Asks instead of closing, if something would be lost; Escape takes a question back. */
    guard: (event: Event, isEscape = false) => {
      if (isHeld) return event.preventDefault();
      const isLoss = isShownOnce || isChanged();
      if (isLoss || isAsking) event.preventDefault();
      if (isAsking) isEscape && setAsking(false);
      else if (isLoss) setAsking(true);
    },
  };
}
