// What operators do with nodes: with one from its row, with several from the selection's bar, and the dialogs of both.
import { ArrowCounterClockwise, DotsThree, PencilSimple, Prohibit, Shuffle } from '@phosphor-icons/react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { InventoryNode } from '@/api/inventory';
import { NodeState } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { BulkButtons } from '@/ui/BulkButtons';
import { IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Overlay';
import { type Chosen, chosenOf } from './chosen';
import { EditDialog } from './EditDialog';
import { ReplaceDialog } from './ReplaceDialog';
import { SaleDialog } from './SaleDialog';

export type Action = 'edit' | 'replace' | 'retire' | 'restore';
export interface Doing {
  action: Action;
  chosen: Chosen;
}

const CALLS: Record<Action, string> = {
  edit: 'Operator/EditNodes',
  replace: 'Operator/ReplaceNode',
  retire: 'Operator/RetireNodes',
  restore: 'Operator/RestoreNodes',
};
const ACTIONS = Object.keys(CALLS) as Action[];

/** Those of the actions that the operator's role may do. */
export const mayDo = (may: (call: string) => boolean, actions: readonly Action[] = ACTIONS) =>
  actions.filter((action) => may(CALLS[action]));

const ICONS = { edit: PencilSimple, replace: Shuffle, retire: Prohibit, restore: ArrowCounterClockwise };

function iconOf(action: Action, size: number) {
  const Icon = ICONS[action];
  return <Icon size={size} aria-hidden="true" />;
}

const actionsOf = ({ State, AccountId }: InventoryNode): Action[] => [
  'edit',
  ...(State === NodeState.Assigned ? ['replace' as const] : []),
  ...(State === NodeState.Retired ? ['restore' as const] : []),
  ...(State !== NodeState.Retired && !AccountId ? ['retire' as const] : []),
];

interface RowMenuProps {
  node: InventoryNode;
  t: TFunction<'inventory'>;
  onAct: (doing: Doing) => void;
}

export function RowMenu({ node, t, onAct }: RowMenuProps) {
  const actions = mayDo(useMay(), actionsOf(node));
  if (actions.length === 0) return null;
  return (
    <Menu
      trigger={
        <IconButton size="small" label={t('actionsOf', { Ip: node.Ip })}>
          <DotsThree size={18} weight="bold" />
        </IconButton>
      }
      items={() =>
        actions.map((action) => ({
          key: action,
          label: t(`action.${action}`),
          icon: iconOf(action, 17),
          danger: action === 'retire',
          onSelect: () => onAct({ action, chosen: chosenOf([node]) }),
        }))
      }
    />
  );
}

/** What can be done with several nodes at once. */
export const WITH_MANY: readonly Action[] = ['edit', 'retire', 'restore'];

export function BulkActions({ actions, onAct }: { actions: Action[]; onAct: (action: Action) => void }) {
  const { t } = useTranslation('inventory');
  return (
    <BulkButtons
      label={t('actions')}
      items={actions.map((action) => ({
        key: action,
        label: t(`action.${action}`),
        icon: iconOf(action, 15),
        onSelect: () => onAct(action),
      }))}
    />
  );
}

interface ActionDialogProps extends Doing {
  onDone: () => void;
  onClose: () => void;
}

/** The dialog of the action in progress. */
export function ActionDialog({ action, chosen, ...dialog }: ActionDialogProps) {
  const [first] = chosen.nodes;
  if (action === 'edit') return <EditDialog chosen={chosen} {...dialog} />;
  if (action !== 'replace') return <SaleDialog action={action} chosen={chosen} {...dialog} />;
  return first && <ReplaceDialog node={first} {...dialog} />;
}
