// Preloads toasts and the sidebar's screens one after another while the browser is idle, once the first screen is there.
import { useEffect } from 'react';
import { useSidebar } from '@/stores/sidebar';
import { idle } from '@/ui/idle';

/** The first screen's own requests come first. */
const REST_MS = 2_000;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Whether the user saves data, or has a slow connection, as far as the browser tells. */
function savesData(): boolean {
  const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {};
  return saveData || effectiveType !== '4g';
}

/** Starts once the rules are loaded. `preload` loads the code of the screen at a path. */
export function usePreload(isReady: boolean, preload: (path: string) => Promise<void>): void {
  const entries = useSidebar();
  useEffect(() => {
    if (!isReady || savesData()) return;
    let isGone = false;
    const paths = entries.flatMap((entry) => [entry.Path, ...entry.Children.map((child) => child.Path)]);
    const loadAll = async () => {
      await new Promise((later) => setTimeout(later, REST_MS));
      // Without a connection, which needs toasts most, they could not be loaded.
      await import('@/ui/Toasters').catch(() => {});
      for (const path of paths) {
        await idle();
        if (isGone) return;
        await preload(path);
      }
    };
    loadAll();
    return () => {
      isGone = true;
    };
  }, [isReady, entries, preload]);
}
