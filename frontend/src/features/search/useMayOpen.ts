// Which screens the signed-in user may open, by core's table.
import { useCallback } from 'react';
import { core } from '@/core';
import { useIsSuspended } from '@/stores/sidebar';
import { useUserStore } from '@/stores/user';

export function useMayOpen(): (path: string) => boolean {
  const level = useUserStore((state) => state.info?.Level);
  const role = useUserStore((state) => state.info?.Role ?? undefined);
  const isSuspended = useIsSuspended();
  return useCallback(
    (path) => core().canOpen(path, level, role) && (!isSuspended || core().canOpenWhileSuspended(path)),
    [level, role, isSuspended],
  );
}
