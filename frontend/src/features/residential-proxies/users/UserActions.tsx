// Actions on proxy users: in the row menu, on cards, and for a selection.
import {
  ArrowCounterClockwise,
  DotsThree,
  GlobeSimple,
  type Icon,
  Key,
  ListBullets,
  Pause,
  PencilSimple,
  Play,
  Trash,
} from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import type { ProxyUserState, ProxyUserView } from '@/api/proxyUsers';
import { core } from '@/core';
import { BulkButtons } from '@/ui/BulkButtons';
import { IconButton } from '@/ui/Button';
import { Menu, type MenuItem } from '@/ui/Overlay';

/** State transitions. */
export const CHANGES = ['pause', 'resume', 'reset', 'delete'] as const;
export type Change = (typeof CHANGES)[number];
/** Actions on one proxy user that open a dialog. */
export type Action = Change | 'edit' | 'password' | 'addresses';

const ICONS: Record<Action, Icon> = {
  edit: PencilSimple,
  password: Key,
  addresses: GlobeSimple,
  pause: Pause,
  resume: Play,
  reset: ArrowCounterClockwise,
  delete: Trash,
};

/** Whether core's state table allows it. */
export function isAllowed(state: ProxyUserState, change: Change): boolean {
  try {
    core().nextProxyUserState(state, change);
    return true;
  } catch {
    return false;
  }
}

export function RowMenu({ user, onAct }: { user: ProxyUserView; onAct: (action: Action) => void }) {
  const { t } = useTranslation('proxy_users');
  const item = (action: Action): MenuItem => {
    const ActionIcon = ICONS[action];
    return {
      key: action,
      label: t(`action.${action}`),
      icon: <ActionIcon size={17} aria-hidden="true" />,
      danger: action === 'delete',
      onSelect: () => onAct(action),
    };
  };
  return (
    <Menu
      trigger={
        <IconButton size="small" label={t('list.actionsOf', { Name: user.Name })}>
          <DotsThree size={18} weight="bold" />
        </IconButton>
      }
      items={() => [
        item('edit'),
        {
          key: 'generate',
          label: t('action.generate'),
          icon: <ListBullets size={17} aria-hidden="true" />,
          to: generatorOf(user),
        },
        item('password'),
        item('addresses'),
        ...CHANGES.filter((change) => isAllowed(user.State, change)).map(item),
      ]}
    />
  );
}

export const generatorOf = ({ ProxyUserId }: { ProxyUserId: number }) =>
  `/residential-proxies/endpoint-generator?ProxyUserId=${ProxyUserId}`;

/** Buttons for a selection; a menu on phones. */
export function BulkActions({ onAct }: { onAct: (change: Change) => void }) {
  const { t } = useTranslation('proxy_users');
  const entries = CHANGES.map((change) => {
    const ActionIcon = ICONS[change];
    return {
      key: change,
      label: t(`action.${change}`),
      icon: <ActionIcon size={16} aria-hidden="true" />,
      danger: change === 'delete',
      onSelect: () => onAct(change),
    };
  });
  return <BulkButtons label={t('list.actions')} items={entries} />;
}
