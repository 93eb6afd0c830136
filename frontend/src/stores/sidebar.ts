// The sidebar's entries for the signed-in user.
import { SIDEBAR_WHILE_SUSPENDED, SIDEBARS, type SidebarEntry } from '@/core/sidebar.gen';
import { useUserStore } from './user';

const NONE: readonly SidebarEntry[] = [];

export function useSidebar(): readonly SidebarEntry[] {
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const isSuspended = useIsSuspended();
  return isSuspended ? SIDEBAR_WHILE_SUSPENDED : (SIDEBARS[level] ?? NONE);
}

/** A suspended account only sees its billing. */
export const useIsSuspended = () => useUserStore((state) => state.info?.State === 'suspended');
