// Takes nodes off sale, or sells them again, after a question.
import { useTranslation } from 'react-i18next';
import type { Reached } from '@/api/calls';
import { type InventoryNode, restoreNodes, retireNodes } from '@/api/inventory';
import { useInPieces } from '@/api/useInPieces';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { useNumber } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { StateBadge } from './cells';
import { STATES } from './inventory';
import s from './inventory.module.css';
import { type ChangeDialogProps, useChangeDialog } from './useChangeDialog';

export function SaleDialog({ action, ...props }: ChangeDialogProps & { action: 'retire' | 'restore' }) {
  const { t } = useTranslation('inventory');
  const { body, nodes } = props.chosen;
  const call = useInPieces(action === 'retire' ? retireNodes : restoreNodes, body);
  const dialog = useChangeDialog(action, call, props);
  const tooMany = call.errors.textOf('NodeIds');
  const told = ({ changed, left: count }: Reached) => {
    const done = t(`${action}.done`, { count: changed });
    const left = count > 0 && t(`${action}.left`, { count });
    showToast(left ? t('doneAndLeft', { Done: done, Left: left }) : done, left ? 'warning' : 'success');
    props.onDone();
    props.onClose();
  };
  return (
    <ConfirmDialog {...dialog} danger={action === 'retire'} onConfirm={() => call.run(told)}>
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
