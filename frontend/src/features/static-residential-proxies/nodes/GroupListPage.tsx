// The account's groups of proxies.
import { Broom, DotsThree, Key, PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { post, type Schemas } from '@/api/client';
import { useGroups } from '@/stores/ips';
import { Button, IconButton } from '@/ui/Button';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Dialog, Menu } from '@/ui/Overlay';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../static.module.css';
import { bulkSelectionOf } from './bulkSelection';
import { ColourDot } from './ColourDot';
import { GroupDialog } from './GroupDialog';
import { ChangeCredentials } from './NodeForms';
import room from './nodes.module.css';

type Group = Schemas['PlanGroup'];
type Doing = { what: 'add' } | { what: 'edit' | 'credentials' | 'clear' | 'delete'; group: Group };

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
  const close = () => setDoing(undefined);
  return (
    <Page title={t('groups.title')} description={t('groups.lead')} actions={add}>
      {groups.isError && !groups.data && <ErrorState onRetry={() => groups.refetch()} />}
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
          <div className={room.groupSearch}>
            <DebouncedSearch
              label={t('groups.search')}
              value={Search}
              onSearch={(typed) => change({ Search: typed })}
            />
          </div>
          {found.length === 0 && <p className={s.soft}>{t('groups.nothingFound')}</p>}
          <ul className={room.groups} aria-label={t('groups.title')}>
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
                <Menu
                  trigger={
                    <IconButton size="small" label={t('groups.actionsOf', { Name: group.Name })}>
                      <DotsThree size={18} weight="bold" />
                    </IconButton>
                  }
                  items={[
                    {
                      key: 'edit',
                      label: t('groups.edit'),
                      icon: <PencilSimple size={17} aria-hidden="true" />,
                      onSelect: () => setDoing({ what: 'edit', group }),
                    },
                    ...(group.NodeCount > 0
                      ? [
                          {
                            key: 'credentials',
                            label: t('credentials.submit'),
                            icon: <Key size={17} aria-hidden="true" />,
                            onSelect: () => setDoing({ what: 'credentials', group }),
                          },
                          {
                            key: 'clear',
                            label: t('groups.clear'),
                            icon: <Broom size={17} aria-hidden="true" />,
                            onSelect: () => setDoing({ what: 'clear', group }),
                          },
                        ]
                      : []),
                    {
                      key: 'delete',
                      label: t('groups.delete'),
                      icon: <Trash size={17} aria-hidden="true" />,
                      danger: true,
                      onSelect: () => setDoing({ what: 'delete', group }),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {doing?.what === 'add' && <GroupDialog onClose={close} />}
      {doing?.what === 'edit' && <GroupDialog group={doing.group} onClose={close} />}
      {doing?.what === 'credentials' && <ChangeCredentials selection={proxiesOf(doing.group)} onClose={close} />}
      {doing?.what === 'clear' && (
        <ConfirmGroup
          group={doing.group}
          call="Ips/ClearUserPlanGroupAllNode"
          title={t('groups.clearTitle', { Name: doing.group.Name })}
          confirm={t('groups.clearConfirm')}
          done={(count) => t('groups.cleared', { count })}
          onClose={close}
        >
          {t('groups.clearHint', { count: doing.group.NodeCount })}
        </ConfirmGroup>
      )}
      {doing?.what === 'delete' && (
        <ConfirmGroup
          group={doing.group}
          call="Ips/DeleteUserPlanGroup"
          title={t('groups.deleteTitle', { Name: doing.group.Name })}
          confirm={t('groups.deleteConfirm')}
          done={() => t('groups.deleted')}
          onClose={close}
        >
          {t('groups.deleteHint')}
        </ConfirmGroup>
      )}
    </Page>
  );
}

interface ConfirmGroupProps {
  group: Group;
  call: 'Ips/ClearUserPlanGroupAllNode' | 'Ips/DeleteUserPlanGroup';
  title: string;
  confirm: string;
  done: (count: number) => string;
  onClose: () => void;
  children: ReactNode;
}

/** Confirmation before a group is emptied or deleted. */
function ConfirmGroup({ group, call, title, confirm, done, onClose, children }: ConfirmGroupProps) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const run = async () => {
    const body = { GroupId: group.GroupId };
    try {
      const { Changed } = await once.send([call, body], (options) => post(call, body, options));
      showToast(done(Changed), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
    await queryClient.invalidateQueries({ queryKey: ['groups'] });
    queryClient.invalidateQueries({ queryKey: ['proxy-list'] });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={run}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
