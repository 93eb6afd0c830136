// Copies selected proxies as lines of a format.
import { useTranslation } from 'react-i18next';
import { exportNodes } from '@/api/staticProxies';
import type { EndpointFormat } from '@/core';
import { copy } from '@/ui/CopyButton';
import { useEndpoint } from '../useEndpoint';
import type { BulkSelection } from './bulkSelection';

/** The server exports them: rows that are not loaded, too, and selected ones as they are now, not as they were when they were selected. */
export function useCopyNodes() {
  const { t } = useTranslation('static_residential_proxies');
  const { format, protocol } = useEndpoint();
  return ({ body, count }: Pick<BulkSelection, 'body' | 'count'>, as: EndpointFormat = format) => {
    const asked = { ...body, Format: 'txt' as const, EndpointFormat: as, Protocol: protocol };
    const lines = async () => (await (await exportNodes.send(asked, {})).text()).trimEnd();
    return copy(lines(), t('list.linesCopied', { count }));
  };
}
