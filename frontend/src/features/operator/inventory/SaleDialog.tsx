// Takes nodes off sale, or sells them again, after a question.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type InventoryNode, restoreNodes, retireNodes } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { useNumber } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { StateBadge } from './cells';
import { STATES } from './inventory';
import s from './inventory.module.css';

interface SaleDialogProps {
  action: 'retire' | 'restore';
  nodes: InventoryNode[];
  onDone: () => void;
  onClose: () => void;
}

export function SaleDialog({ action, nodes, onDone, onClose }: SaleDialogProps) {
  const { t } = useTranslation('inventory');
  const call = useCall(action === 'retire' ? retireNodes : restoreNodes);
  const [first] = nodes;
  const tooMany = call.errors.textOf('NodeIds');
  const told = ({ Changed, Failed }: Schemas['NodesChanged']) => {
    const done = t(`${action}.done`, { count: Changed });
    const left = Failed.length > 0 && t(`${action}.left`, { count: Failed.length });
    showToast(left ? t('doneAndLeft', { Done: done, Left: left }) : done, left ? 'warning' : 'success');
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={
        nodes.length === 1 && first
          ? t(`${action}.titleOne`, { Ip: first.Ip })
          : t(`${action}.title`, { count: nodes.length })
      }
      action={t(`action.${action}`)}
      danger={action === 'retire'}
      onConfirm={() => call.run({ NodeIds: nodes.map(({ NodeId }) => NodeId) }, told)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{t(`${action}.what`)}</p>
        {nodes.length > 1 && <StateCounts nodes={nodes} />}
        <p className={s.soft}>{t(`${action}.stays`)}</p>
        {tooMany && <Notice tone="bad">{tooMany}</Notice>}
      </div>
    </ConfirmDialog>
  );
}

/** How many of the nodes are in which state. */
function StateCounts({ nodes }: { nodes: InventoryNode[] }) {
  const number = useNumber();
  const counts = STATES.map((state) => ({ state, count: nodes.filter(({ State }) => State === state).length }));
  return (
    <dl className={s.facts}>
      {counts
        .filter(({ count }) => count > 0)
        .map(({ state, count }) => (
          <div key={state}>
            <dt>
              <StateBadge state={state} />
            </dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
    </dl>
  );
}
