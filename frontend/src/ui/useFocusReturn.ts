// The focus after a dialog: back to what opened it.
import { useRef } from 'react';

// Element that opened the current dialog; kept when another dialog replaces it, for example after loading.
let lastOpener: HTMLElement | null = null;

/**
 * Returns the focus on close: to the element that opened the dialog, to the button of the menu that led to it, or to `landing` if the
 * user has navigated meanwhile.
 */
export function useFocusReturn(landing?: () => HTMLElement | null) {
  const opener = useRef<HTMLElement>(null);
  return {
    remember: () => {
      const focused = document.activeElement as HTMLElement | null;
      const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
      if (menuButton) lastOpener = document.getElementById(menuButton);
      else if (focused !== document.body) lastOpener = focused;
      opener.current = lastOpener;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // Another dialog or the chat has taken the focus.
      if (document.activeElement?.closest('[role="dialog"]')) return;
      lastOpener = null;
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      (landing?.() ?? back)?.focus();
    },
  };
}
