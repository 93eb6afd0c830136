// The account's proxy users.
import { Copy, DownloadSimple, Plus, UploadSimple } from '@phosphor-icons/react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { exportProxyUsers, loadUsers, PROXY_USERS, type ProxyUserView } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { clientIpUrl } from '@/core/clientIp';
import { PROXY_USER_SHOWN_DAYS } from '@/core/constants.gen';
import { usePreferences } from '@/stores/preferences';
import { queryClient as cache } from '@/stores/queries';
import { useUserStore } from '@/stores/user';
import { Button, ButtonLink, IconButton } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { copy } from '@/ui/CopyButton';
import { type Column, DataGrid, nothingSelected, preloadList, type Selection } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Page } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { toastError } from '@/ui/toast';
import { useOpenAddForm } from '@/ui/useOpenAddForm';
import { endpointOf } from '../endpointServers';
import { AddressesDialog } from './AddressesDialog';
import { ImportDialog } from './ImportDialog';
import { PasswordDialog } from './PasswordDialog';
import { StateDialog } from './StateDialog';
import { type Action, BulkActions, type Change, RowMenu } from './UserActions';
import { UserCard } from './UserCard';
import { useUserCells } from './UserCells';
import { UserDialog } from './UserDialog';
import s from './users.module.css';
import { SHOWN_STATES, type UserFilter, userFilterOf, useUserFilter } from './useUserFilter';

/** Usage and exhausted limits appear within ten seconds. */
const POLL_MS = 5_000;
const VIEW_KEY = 'view';
const USAGE = 'usage';
const BUY = '/residential-proxies/order';

/** Prefetches the list. */
export function preloadUsers({ request }: { request: Request }) {
  const address = new URL(request.url).searchParams;
  const asked = userFilterOf(address);
  if (useUserStore.getState().info && address.get(VIEW_KEY) !== USAGE)
    preloadList(cache(), address, {
      name: PROXY_USERS,
      filters: asked.filters,
      load: loadUsers({ Search: asked.search, Filter: asked.filter }),
    });
  return null;
}

type DialogState =
  | { action: 'add' | 'import' }
  | { action: Action; user: ProxyUserView }
  | { bulk: Change; selection: ProxyUserView[] | UserFilter };

interface UsersPageProps {
  /** Shown above the list: the remaining traffic. */
  summary?: ReactNode;
  /** Content of the usage tab. Without it there are no tabs. */
  usage?: ReactNode;
}

export function UsersPage({ summary, usage }: UsersPageProps) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const [parameters, setParameters] = useSearchParams();
  const view = usage && parameters.get(VIEW_KEY) === USAGE ? USAGE : 'list';
  const [dialog, setDialog] = useState<DialogState>();
  const save = useCall(exportProxyUsers);
  useOpenAddForm(() => setDialog({ action: 'add' }));
  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          <Button icon={<UploadSimple size={17} />} onClick={() => setDialog({ action: 'import' })}>
            {t('import.button')}
          </Button>
          <Button
            icon={<DownloadSimple size={17} />}
            loading={save.isBusy}
            onClick={() => save.run(undefined, saveFile)}
          >
            {t('export')}
          </Button>
          <Button variant="primary" icon={<Plus size={17} />} onClick={() => setDialog({ action: 'add' })}>
            {t('add')}
          </Button>
        </>
      }
    >
      {summary && (
        <div className={s.summary}>
          <Suspense fallback={<LoadingState rows={2} />}>{summary}</Suspense>
        </div>
      )}
      {usage && (
        <div className={s.tabs}>
          <SegmentedControl
            label={t('view.label')}
            value={view}
            segments={[
              { value: 'list', label: t('view.list') },
              { value: USAGE, label: t('view.usage') },
            ]}
            // Filters and pages belong to one view.
            onChange={(next) => setParameters(next === USAGE ? { [VIEW_KEY]: USAGE } : {}, { replace: true })}
          />
        </div>
      )}
      {view === USAGE ? (
        <Suspense fallback={<LoadingState rows={8} />}>{usage}</Suspense>
      ) : (
        <UsersList onOpenDialog={setDialog} />
      )}
      {dialog && <OpenDialog dialog={dialog} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

/** The open dialog. */
function OpenDialog({ dialog, onClose }: { dialog: DialogState; onClose: () => void }) {
  if ('bulk' in dialog) return <StateDialog change={dialog.bulk} selection={dialog.selection} onClose={onClose} />;
  if (!('user' in dialog)) {
    return dialog.action === 'import' ? <ImportDialog onClose={onClose} /> : <UserDialog onClose={onClose} />;
  }
  const { action, user } = dialog;
  if (action === 'edit') return <UserDialog user={user} onClose={onClose} />;
  if (action === 'password') return <PasswordDialog user={user} onClose={onClose} />;
  if (action === 'addresses') return <AddressesDialog user={user} onClose={onClose} />;
  return <StateDialog change={action} selection={[user]} onClose={onClose} />;
}

/** Copies an endpoint in the customer's preferred format and protocol. */
function useCopyEndpoint() {
  const { t } = useTranslation('proxy_users');
  const client = useQueryClient();
  const { endpointFormat, protocol } = usePreferences();
  return useCallback(
    async (user: ProxyUserView) => {
      try {
        const endpoint = await endpointOf(client, user, protocol);
        if (!endpoint) return toastError(t('list.noServer'));
        const formats = screenRules().endpointFormats();
        const format = formats.find((one) => one === endpointFormat) ?? 'host_port_user_pass';
        const line = screenRules().formatEndpoints([endpoint], format, clientIpUrl());
        await copy(line, t('list.endpointCopied', { Name: user.Name }));
      } catch {
        // The API client has shown the error toast.
      }
    },
    [client, endpointFormat, protocol, t],
  );
}

function UsersList({ onOpenDialog }: { onOpenDialog: (dialog: DialogState) => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const filter = useUserFilter();
  const filtersKey = JSON.stringify(filter.filters);
  // Changing the filters clears the selection.
  const [selected, setSelected] = useState<{ of: string; rows: Selection<ProxyUserView> }>({
    of: '',
    rows: nothingSelected,
  });
  const selection = selected.of === filtersKey ? selected.rows : nothingSelected;
  const cells = useUserCells();
  const copyEndpoint = useCopyEndpoint();
  const actions = useCallback(
    (user: ProxyUserView) => (
      <span className={s.actions}>
        <IconButton size="small" label={t('list.copyEndpoint', { Name: user.Name })} onClick={() => copyEndpoint(user)}>
          <Copy size={16} />
        </IconButton>
        <RowMenu user={user} onAct={(action) => onOpenDialog({ action, user })} />
      </span>
    ),
    [t, copyEndpoint, onOpenDialog],
  );
  const columns = useMemo<Column<ProxyUserView>[]>(
    () => [
      {
        field: 'Name',
        title: t('list.name'),
        width: 160,
        pinned: 'left',
        always: true,
        sortable: true,
        cell: cells.name,
      },
      { field: 'State', title: t('list.state'), width: 138, cell: cells.state },
      { field: 'UsedBytes', title: t('list.used'), width: 168, sortable: true, cell: cells.used },
      { field: 'LeftBytes', title: t('list.left'), width: 82, cell: cells.left },
      { field: 'Limits', title: t('list.limits'), width: 150, optional: 'room', cell: cells.limits },
      { field: 'Countries', title: t('list.countries'), width: 122, flex: 1, cell: cells.countries },
      { field: 'DailyBytes', title: t('list.days', { Days: PROXY_USER_SHOWN_DAYS }), width: 122, cell: cells.days },
      { field: 'LastUsedAt', title: t('list.lastSeen'), width: 140, sortable: true, cell: cells.lastSeen },
      { field: 'ExpiresAt', title: t('list.expires'), width: 98, sortable: true, cell: cells.expires },
      { field: 'Password', title: t('list.password'), width: 150, cell: cells.password },
      { field: 'Actions', title: t('list.actions'), width: 88, pinned: 'right', always: true, cell: actions },
    ],
    [t, cells, actions],
  );
  return (
    <DataGrid<ProxyUserView>
      name={PROXY_USERS}
      label={t('title')}
      columns={columns}
      rowId={userId}
      filters={filter.filters}
      onFiltersChange={filter.replaceAll}
      isTall
      visibleRows={12}
      load={loadUsers({ Search: filter.search, Filter: filter.filter })}
      refetchInterval={POLL_MS}
      toolbar={
        <>
          <DebouncedSearch
            label={t('list.search')}
            value={filter.search}
            onSearch={(text) => filter.change({ Search: text })}
          />
          <SelectField
            label={t('list.state')}
            hideLabel
            value={filter.state}
            onChange={(event) => filter.change({ State: event.target.value })}
          >
            <option value="">{t('list.allStates')}</option>
            {SHOWN_STATES.map((state) => (
              <option key={state} value={state}>
                {t(`state.${state}`)}
              </option>
            ))}
          </SelectField>
        </>
      }
      selection={{
        value: selection,
        onChange: (rows) => setSelected({ of: filtersKey, rows }),
        nameOf: (user) => user.Name,
        withAll: true,
        actions: (
          <BulkActions
            onAct={(bulk) => {
              onOpenDialog({ bulk, selection: selection.all === undefined ? selection.rows : filter });
              // The selected users have changed or were deleted.
              setSelected({ of: filtersKey, rows: nothingSelected });
            }}
          />
        ),
      }}
      card={(user) => <UserCard user={user} actions={actions(user)} />}
      empty={
        <EmptyState
          title={t('empty.title')}
          action={
            <span className={s.emptyActions}>
              <Button variant="primary" onClick={() => onOpenDialog({ action: 'add' })}>
                {t('empty.add')}
              </Button>
              <ButtonLink to={BUY}>{t('empty.buy')}</ButtonLink>
            </span>
          }
        >
          {t('empty.hint')}
        </EmptyState>
      }
    />
  );
}

const userId = (user: ProxyUserView) => String(user.ProxyUserId);
