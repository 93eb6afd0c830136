// Which operators' calls the signed-in user may make, by core's table of roles.
import { useCallback } from 'react';
import { core } from '@/core';
import { OPERATOR } from '@/core/constants.gen';
import { useUserStore } from './user';

/** Says whether the user's role may make an operators' call: screens leave out what it may not. */
export function useMay(): (call: string) => boolean {
  const level = useUserStore((state) => state.info?.Level);
  const role = useUserStore((state) => state.info?.Role ?? undefined);
  return useCallback((call) => level === OPERATOR && core().mayCall(call, role), [level, role]);
}
