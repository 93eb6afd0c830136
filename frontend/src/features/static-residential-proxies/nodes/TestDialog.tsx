// Tests a proxy, from its menu in the list.
import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '@/ui/Controls';
import { Dialog } from '@/ui/Overlay';
import s from '../static.module.css';
import { TestNode } from '../TestNode';
import { PROTOCOLS, useEndpoint } from '../useEndpoint';
import type { ActionProps } from './bulkSelection';

export function TestDialog({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const { protocol, setProtocol } = useEndpoint();
  const node = selection.rows[0];
  if (!node) return null;
  return (
    <Dialog open onClose={() => onClose(false)} title={t('test.title', { Ip: node.Ip })}>
      <div className={s.form}>
        <SegmentedControl
          label={t('export.protocol')}
          value={protocol}
          segments={[...PROTOCOLS]}
          onChange={setProtocol}
        />
        <TestNode key={protocol} nodeId={node.NodeId} protocol={protocol} />
      </div>
    </Dialog>
  );
}
