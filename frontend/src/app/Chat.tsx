// Loads the support chat when it is opened; until then polls for unread answers.
import i18next from 'i18next';
import { type ComponentType, useEffect, useState } from 'react';
import { loadScreenRules } from '@/core';
import { UNREAD_POLL_SECONDS } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useSupportStore } from '@/stores/support';
import { toastError } from '@/ui/toast';
import { openVendorChat } from './vendorChat';

async function loadDock(): Promise<ComponentType> {
  const [{ ChatDock }] = await Promise.all([import('@/features/support/chat/ChatDock'), loadScreenRules()]);
  return ChatDock;
}

export function Chat() {
  const isClosed = useSupportStore((state) => state.chat === 'closed');
  const script = useConfigStore((state) => state.shop?.ChatScriptUrl);
  const [Dock, setDock] = useState<ComponentType>();
  useEffect(() => {
    if (!isClosed || script) return;
    const look = () => {
      if (document.hidden) return;
      useSupportStore
        .getState()
        .loadUnread()
        .catch(() => {});
    };
    look();
    const timer = setInterval(look, UNREAD_POLL_SECONDS * 1_000);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isClosed, script]);
  useEffect(() => {
    if (isClosed || Dock) return;
    // Lets the next click retry a failed import.
    const fail = () => {
      useSupportStore.getState().closeChat();
      const Email = useConfigStore.getState().shop?.SupportEmail ?? '';
      toastError(i18next.t('chatFailed', { Email }));
    };
    if (script) {
      // Another vendor's chat has its own window: nothing to render.
      openVendorChat(script).then(() => useSupportStore.getState().closeChat(), fail);
    } else {
      loadDock().then((loaded) => setDock(() => loaded), fail);
    }
  }, [isClosed, Dock, script]);
  return isClosed || !Dock ? null : <Dock />;
}
