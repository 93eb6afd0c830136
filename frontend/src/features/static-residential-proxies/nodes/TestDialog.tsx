// Tests a proxy, from its menu in the list.
import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '@/ui/Controls';
import { Dialog } from '@/ui/Overlay';
import s from '../static.module.css';
import { TestNode } from '../TestNode';
import { endpointOf, protocolsOf, useEndpoint } from '../useEndpoint';
import type { ActionProps } from './bulkSelection';

export function TestDialog({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const { protocol, setProtocol } = useEndpoint();
  const node = selection.rows[0];
  if (!node) return null;
  const used = endpointOf(node, protocol).Scheme;
  return (
    <Dialog open onClose={() => onClose(false)} title={t('test.title', { Ip: node.Ip })}>
      <div className={s.form}>
        <SegmentedControl
          label={t('export.protocol')}
          value={used}
          segments={protocolsOf(node)}
          onChange={setProtocol}
        />
        <TestNode key={used} node={node} protocol={used} />
      </div>
    </Dialog>
  );
}
