// The credentials of the IPs of an order, as far as the customer still owns them.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { exportNodes, nodesQuery } from '@/api/staticProxies';
import { MAX_PAGE_SIZE } from '@/core/constants.gen';
import { usePreferences } from '@/stores/preferences';
import { copy } from '@/ui/CopyButton';
import { Copied, Secret } from '@/ui/Secret';

export function useCredentials(order: Schemas['OrderView'] | undefined) {
  const { t } = useTranslation(['orders', 'common']);
  const { endpointFormat, protocol } = usePreferences();
  const filter = { OrderNumber: order?.OrderNumber ?? '' };
  const owned = useQuery({
    ...nodesQuery('of-order', MAX_PAGE_SIZE, { Search: '', Filter: filter }),
    enabled: (order?.Nodes.length ?? 0) > 0,
  });
  const count = owned.data?.Total ?? 0;
  if (count === 0) return undefined;
  const labels = { show: t('common:showPassword'), hide: t('common:hidePassword'), copy: t('copyPassword') };
  return {
    of: (nodeId: number) => {
      const node = owned.data?.Rows.find((one) => one.NodeId === nodeId);
      return (
        node && (
          <>
            <Copied text={node.UserName} label={t('copyUser')} />
            <Secret text={node.Password} labels={labels} />
          </>
        )
      );
    },
    /** In the format that the customer prefers. */
    copyAll: () => {
      const asked = {
        All: true,
        Filter: filter,
        Format: 'txt' as const,
        Protocol: protocol,
        ...(endpointFormat && { EndpointFormat: endpointFormat }),
      };
      const lines = async () => (await (await exportNodes.send(asked, {})).text()).trimEnd();
      return copy(lines(), t('proxiesCopied', { count }));
    },
  };
}
