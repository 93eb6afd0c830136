// The screens that the sidebar leads to are loaded one after another while nothing else is to be done, and a first grid is drawn.
import { useEffect } from 'react';
import { core } from '@/core';
import { useUserStore } from '@/stores/user';
import { idle } from '@/ui/idle';
import { preload } from './router';

/** Somebody asked their browser to load no more than needed. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** Begins once the rules are loaded. */
export function usePreload(isReady: boolean): void {
  const level = useUserStore((state) => state.info?.Level ?? 0);
  useEffect(() => {
    if (!isReady || savesData()) return;
    let isGone = false;
    const entries = core().sidebarFor(level);
    const paths = entries.flatMap((entry) => [entry.Path, ...entry.Children.map((child) => child.Path)]);
    const loadAll = async () => {
      for (const path of paths) {
        await idle();
        if (isGone) return;
        await preload(path);
      }
      const { warmUp } = await import('@/ui/Grid');
      await idle();
      if (!isGone) await warmUp();
    };
    loadAll();
    return () => {
      isGone = true;
    };
  }, [isReady, level]);
}
