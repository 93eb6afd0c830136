// The sidebar's entries for the signed-in user.
import { SIDEBAR_WHILE_SUSPENDED, SIDEBARS, type SidebarEntry, STAFF_SIDEBARS } from '@/core/sidebar.gen';
import { useUserStore } from './user';

const NONE: readonly SidebarEntry[] = [];

export function useSidebar(): readonly SidebarEntry[] {
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const role = useUserStore((state) => state.info?.Role);
  const isSuspended = useIsSuspended();
  if (isSuspended) return SIDEBAR_WHILE_SUSPENDED;
  return (role ? STAFF_SIDEBARS[role] : undefined) ?? SIDEBARS[level] ?? NONE;
}

/** A suspended account only sees its billing. */
export const useIsSuspended = () => useUserStore((state) => state.info?.State === 'suspended');
