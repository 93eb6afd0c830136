// Copies selected proxies as lines of a format.
import { useTranslation } from 'react-i18next';
import { exportNodes } from '@/api/staticProxies';
import type { EndpointFormat } from '@/core';
import { copy } from '@/ui/CopyButton';
import { useEndpoint } from '../useEndpoint';
import type { BulkSelection } from './bulkSelection';

/** Rows that are not loaded are exported by the server. */
export function useCopyNodes() {
  const { t } = useTranslation('static_residential_proxies');
  const { linesOf, format, protocol } = useEndpoint();
  return async ({ body, rows, count }: BulkSelection, as: EndpointFormat = format) => {
    const asked = { ...body, Format: 'txt' as const, EndpointFormat: as, Protocol: protocol };
    try {
      const lines = body.All ? (await (await exportNodes.send(asked, {})).text()).trimEnd() : linesOf(rows, as);
      await copy(lines, t('list.linesCopied', { count }));
    } catch {
      // The API client has shown the error toast.
    }
  };
}
