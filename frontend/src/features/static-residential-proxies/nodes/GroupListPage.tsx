// The account's groups of proxies.
import { Broom, Copy, DotsThree, type Icon, PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Change } from '@/api/calls';
import type { Schemas } from '@/api/client';
import { deleteGroup, emptyGroup } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { useGroups } from '@/stores/ips';
import { Button, IconButton } from '@/ui/Button';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { ConfirmDialog } from '@/ui/FormDialog';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Menu } from '@/ui/Overlay';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { ColourDot } from '../ColourDot';
import { GroupDialog } from '../GroupDialog';
import s from '../static.module.css';
import { bulkSelectionOf } from './bulkSelection';
import { type Action, ActionDialog, groupActions } from './NodeActions';
import local from './nodes.module.css';
import { useCopyNodes } from './useCopyNodes';

type Group = Schemas['PlanGroup'];
type Doing = { what: 'add' } | { what: 'edit' | 'clear' | 'delete'; group: Group } | { action: Action; group: Group };

/** Selection of all proxies of a group. */
const proxiesOf = ({ GroupId, NodeCount }: Group) =>
  bulkSelectionOf({ rows: [], all: NodeCount }, { filter: { GroupId }, search: '' });

export function GroupListPage() {
  const { t } = useTranslation('static_residential_proxies');
  const groups = useGroups();
  const [{ Search }, change] = useFilters(['Search']);
  const [doing, setDoing] = useState<Doing>();
  const text = Search.trim().toLowerCase();
  const found = groups.data?.filter((group) => `${group.Name} ${group.Note}`.toLowerCase().includes(text)) ?? [];
  const add = (
    <Button variant="primary" icon={<Plus size={17} />} onClick={() => setDoing({ what: 'add' })}>
      {t('groups.add')}
    </Button>
  );
  return (
    <Page title={t('groups.title')} description={t('groups.lead')} actions={add}>
      {groups.isError && !groups.data && <ErrorState error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.isPending && <LoadingState rows={5} />}
      {groups.data?.length === 0 && (
        <Card>
          <EmptyState title={t('groups.empty')} action={add}>
            {t('groups.emptyHint')}
          </EmptyState>
        </Card>
      )}
      {groups.data && groups.data.length > 0 && (
        <Card>
          <div className={local.groupSearch}>
            <DebouncedSearch
              label={t('groups.search')}
              value={Search}
              onSearch={(typed) => change({ Search: typed })}
            />
          </div>
          {found.length === 0 && <p className={s.soft}>{t('groups.nothingFound')}</p>}
          <ul className={local.groups} aria-label={t('groups.title')}>
            {found.map((group) => (
              <li key={group.GroupId}>
                <ColourDot colour={group.Colour} />
                <div>
                  <strong>{group.Name}</strong>
                  {group.Note && <p>{group.Note}</p>}
                </div>
                <Link to={`/static-residential-proxies/proxy-list?GroupId=${group.GroupId}`}>
                  {t('ips', { count: group.NodeCount })}
                  <span className="visually-hidden">: {group.Name}</span>
                </Link>
                <GroupButtons group={group} onDo={setDoing} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {doing && <GroupDialogs doing={doing} onClose={() => setDoing(undefined)} />}
    </Page>
  );
}

function GroupButtons({ group, onDo }: { group: Group; onDo: (doing: Doing) => void }) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const copyNodes = useCopyNodes();
  const copyAll = () => copyNodes(proxiesOf(group));
  const own = (what: 'edit' | 'clear' | 'delete', OwnIcon: Icon) => ({
    key: what,
    label: t(`groups.${what}`),
    icon: <OwnIcon size={17} aria-hidden="true" />,
    danger: what === 'delete',
    onSelect: () => onDo({ what, group }),
  });
  const copy = {
    key: 'copy',
    label: t('groups.copyAll'),
    icon: <Copy size={17} aria-hidden="true" />,
    onSelect: copyAll,
  };
  const ofProxies = [copy, ...groupActions(t, (action) => onDo({ action, group })), own('clear', Broom)];
  return (
    <span className={local.groupButtons}>
      {group.NodeCount > 0 && (
        <IconButton size="small" label={t('groups.copyAllOf', { Name: group.Name })} onClick={copyAll}>
          <Copy size={17} />
        </IconButton>
      )}
      <Menu
        trigger={
          <IconButton size="small" label={t('groups.actionsOf', { Name: group.Name })}>
            <DotsThree size={18} weight="bold" />
          </IconButton>
        }
        items={[...(group.NodeCount > 0 ? ofProxies : []), own('edit', PencilSimple), own('delete', Trash)]}
      />
    </span>
  );
}

/** The dialog of what is being done. */
function GroupDialogs({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const { t } = useTranslation('static_residential_proxies');
  if ('action' in doing) {
    return <ActionDialog action={doing.action} selection={proxiesOf(doing.group)} onClose={onClose} />;
  }
  if (doing.what === 'add') return <GroupDialog onClose={onClose} />;
  const { group } = doing;
  if (doing.what === 'edit') return <GroupDialog group={group} onClose={onClose} />;
  return doing.what === 'clear' ? (
    <ConfirmGroup
      group={group}
      change={emptyGroup}
      title={t('groups.clearTitle', { Name: group.Name })}
      action={t('groups.clearConfirm')}
      done={(count) => t('groups.cleared', { count })}
      onClose={onClose}
    >
      {t('groups.clearHint', { count: group.NodeCount })}
    </ConfirmGroup>
  ) : (
    <ConfirmGroup
      group={group}
      change={deleteGroup}
      title={t('groups.deleteTitle', { Name: group.Name })}
      action={t('groups.deleteConfirm')}
      done={() => t('groups.deleted')}
      onClose={onClose}
    >
      {t('groups.deleteHint')}
    </ConfirmGroup>
  );
}

interface ConfirmGroupProps {
  group: Group;
  change: Change<{ GroupId: number }, { Changed: number }>;
  title: string;
  action: string;
  done: (count: number) => string;
  onClose: () => void;
  children: ReactNode;
}

/** Confirmation before a group is emptied or deleted. */
function ConfirmGroup({ group, change, done, children, ...dialog }: ConfirmGroupProps) {
  const call = useCall(change);
  const run = () =>
    call.run({ GroupId: group.GroupId }, ({ Changed }) => {
      showToast(done(Changed), 'success');
      dialog.onClose();
    });
  return (
    <ConfirmDialog {...dialog} call={call} danger onConfirm={run}>
      <p>{children}</p>
    </ConfirmDialog>
  );
}
