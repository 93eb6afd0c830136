// The account's groups, kept in the store of static residential proxies.
import { useQuery } from '@tanstack/react-query';
import { useIpsStore } from '@/stores/ips';

export function useGroups(isWanted = true) {
  return useQuery({
    queryKey: ['groups'],
    queryFn: async () => {
      await useIpsStore.getState().loadGroups();
      return useIpsStore.getState().groupList;
    },
    enabled: isWanted,
  });
}
