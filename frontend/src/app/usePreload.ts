// Preloads the sidebar's screens one after another while the browser is idle.
import { useEffect } from 'react';
import { useSidebar } from '@/stores/sidebar';
import { idle } from '@/ui/idle';

/** Respects the browser's data-saver setting. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** Starts once the rules are loaded. `preload` loads the code of the screen at a path. */
export function usePreload(isReady: boolean, preload: (path: string) => Promise<void>): void {
  const entries = useSidebar();
  useEffect(() => {
    if (!isReady || savesData()) return;
    let isGone = false;
    const paths = entries.flatMap((entry) => [entry.Path, ...entry.Children.map((child) => child.Path)]);
    const loadAll = async () => {
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
