// Actions on proxies: in the row menu, on cards, and for a selection.
import {
  ArrowsClockwise,
  Copy,
  DotsThree,
  DownloadSimple,
  FolderSimple,
  type Icon,
  Key,
  NotePencil,
  Pulse,
  Repeat,
  Shuffle,
  SidebarSimple,
  SlidersHorizontal,
} from '@phosphor-icons/react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { EndpointFormat } from '@/core';
import { BulkButtons } from '@/ui/BulkButtons';
import { IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Overlay';
import { useEndpoint } from '../useEndpoint';
import type { ActionProps } from './bulkSelection';
import { ExportNodes } from './ExportNodes';
import { ChangeCredentials, EditNote, MoveToGroup, SetAutoRenew } from './NodeForms';
import { RenewDialog } from './RenewDialog';
import { SwitchDialog } from './SwitchDialog';
import { TestDialog } from './TestDialog';

export type Action = 'renew' | 'group' | 'note' | 'credentials' | 'switch' | 'autoRenew' | 'export' | 'test';

const ACTIONS: Record<Action, { icon: Icon; Dialog: (props: ActionProps) => React.ReactNode }> = {
  renew: { icon: ArrowsClockwise, Dialog: RenewDialog },
  autoRenew: { icon: Repeat, Dialog: SetAutoRenew },
  switch: { icon: Shuffle, Dialog: SwitchDialog },
  group: { icon: FolderSimple, Dialog: MoveToGroup },
  note: { icon: NotePencil, Dialog: EditNote },
  credentials: { icon: Key, Dialog: ChangeCredentials },
  export: { icon: DownloadSimple, Dialog: ExportNodes },
  test: { icon: Pulse, Dialog: TestDialog },
};

const WITH_MANY: Action[] = ['renew', 'autoRenew', 'switch', 'group', 'note', 'credentials', 'export'];
const WITH_GROUP: Action[] = ['export', 'renew', 'autoRenew', 'credentials'];
const WITH_ONE: Action[] = ['test', 'renew', 'switch', 'group', 'note', 'credentials'];

export function actionIcon(action: Action) {
  const { icon: ActionIcon } = ACTIONS[action];
  return <ActionIcon size={15} aria-hidden="true" />;
}

/** The dialog of the action in progress. */
export function ActionDialog({ action, ...props }: ActionProps & { action: Action }) {
  const { Dialog } = ACTIONS[action];
  return <Dialog {...props} />;
}

/** Texts that name actions. */
type NodeTexts = TFunction<['static_residential_proxies', 'common']>;

interface RowMenuProps {
  node: Schemas['OwnedNode'];
  onAct: (action: Action) => void;
  onDetails: () => void;
  t: NodeTexts;
}

export function RowMenu({ node, onAct, onDetails, t }: RowMenuProps) {
  const items = () => [
    {
      key: 'details',
      label: t('action.details'),
      icon: <SidebarSimple size={17} aria-hidden="true" />,
      onSelect: onDetails,
    },
    ...WITH_ONE.map((action) => ({ ...actionItem(action, t), onSelect: () => onAct(action) })),
    {
      key: 'setup',
      label: t('action.setup'),
      icon: <SlidersHorizontal size={17} aria-hidden="true" />,
      to: `/static-residential-proxies/proxy-setup?${new URLSearchParams({ plan: node.VerStr, Search: node.Ip, NodeId: String(node.NodeId) })}`,
    },
  ];
  return (
    <Menu
      trigger={
        <IconButton size="small" label={t('list.actionsOf', { Ip: node.Ip })}>
          <DotsThree size={18} weight="bold" />
        </IconButton>
      }
      items={items}
    />
  );
}

interface BulkActionsProps {
  onCopy: (format: EndpointFormat) => void;
  onAct: (action: Action) => void;
}

/** Buttons for a selection; a menu on phones. */
export function BulkActions({ onCopy, onAct }: BulkActionsProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const { formats, format } = useEndpoint();
  const copying = [
    {
      key: 'copy',
      label: t('action.copy'),
      icon: <Copy size={16} aria-hidden="true" />,
      onSelect: () => onCopy(format),
    },
    {
      key: 'copyAs',
      label: t('action.copyAs'),
      items: formats.map((one) => ({
        key: one,
        label: t(`format.${one}`),
        checked: one === format,
        onSelect: () => onCopy(one),
      })),
    },
  ];
  const others = WITH_MANY.map((action) => ({ ...actionItem(action, t), onSelect: () => onAct(action) }));
  return <BulkButtons label={t('list.actions')} items={[...copying, ...others]} />;
}

/** Menu items for all proxies of a group. */
export function groupActions(t: NodeTexts, onAct: (action: Action) => void) {
  return WITH_GROUP.map((action) => ({
    ...actionItem(action, t),
    ...(action === 'credentials' && { label: t('credentials.submit') }),
    onSelect: () => onAct(action),
  }));
}

/** Text and icon of an action's menu item. */
function actionItem(action: Action, t: NodeTexts) {
  const { icon: ActionIcon } = ACTIONS[action];
  return { key: action, label: t(`action.${action}`), icon: <ActionIcon size={17} aria-hidden="true" /> };
}
