// The account's static proxies.
import { Copy, ListChecks, ShoppingCart, SidebarSimple } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { download, post, type Schemas } from '@/api/client';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';
import { Button, ButtonLink, IconButton } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { copy } from '@/ui/CopyButton';
import {
  type Column,
  DataGrid,
  type ListParameters,
  type LoadOptions,
  nothingSelected,
  preloadList,
  type Selection,
} from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { useMedia } from '@/ui/useMedia';
import s from '../static.module.css';
import { useEndpoint } from '../useEndpoint';
import { type BulkSelection, bulkSelectionOf, selectionOfNode } from './bulkSelection';
import { type Action, ActionDialog, BulkActions, RowMenu } from './NodeActions';
import { useNodeCells } from './NodeCells';
import { NodeFilters } from './NodeFilters';
import { NodePanel } from './NodePanel';
import room from './nodes.module.css';
import { PasteAddresses } from './PasteAddresses';
import { nodeFilterOf, useNodeFilter } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

const LIST = 'proxy-list';
const VIEW_KEY = 'view';
const USAGE = 'usage';

const loadNodes =
  ({ search, filter }: ReturnType<typeof nodeFilterOf>) =>
  (list: ListParameters, options: LoadOptions) =>
    post('Ips/GetUserNodeList', { ...list, Search: search, Filter: filter }, options);

/** Prefetches the list. */
export function preloadNodes({ request }: { request: Request }) {
  const address = new URL(request.url).searchParams;
  const asked = nodeFilterOf(address);
  if (useUserStore.getState().info && address.get(VIEW_KEY) !== USAGE)
    preloadList(queryClient(), address, { name: LIST, filters: asked.filters, load: loadNodes(asked) });
  return null;
}

/** The list, and the proxies' usage in a second tab. */
export function ProxyListPage({ usage }: { usage: ReactNode }) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const [parameters, setParameters] = useSearchParams();
  const view = parameters.get(VIEW_KEY) === USAGE ? USAGE : 'list';
  return (
    <Page
      wide
      title={t('list.title')}
      description={t('list.lead')}
      actions={
        <>
          {view !== USAGE && <CopyFormat />}
          <ButtonLink to="/static-residential-proxies/order" variant="primary" icon={<ShoppingCart size={17} />}>
            {t('common:buyProxies')}
          </ButtonLink>
        </>
      }
    >
      <div className={room.tabs}>
        <SegmentedControl
          label={t('list.view')}
          value={view}
          segments={[
            { value: 'list', label: t('list.viewList') },
            { value: USAGE, label: t('list.viewUsage') },
          ]}
          // Filters and pages belong to one view.
          onChange={(next) => setParameters(next === USAGE ? { [VIEW_KEY]: USAGE } : {}, { replace: true })}
        />
      </div>
      {view === USAGE ? <Suspense fallback={<LoadingState rows={8} />}>{usage}</Suspense> : <NodeList />}
    </Page>
  );
}

function NodeList() {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const filter = useNodeFilter();
  const filtersKey = JSON.stringify(filter.filters);
  // Changing the filters clears the selection.
  const [selected, setSelected] = useState<{ of: string; rows: Selection<Node> }>({ of: '', rows: nothingSelected });
  const selection = selected.of === filtersKey ? selected.rows : nothingSelected;
  const select = (rows: Selection<Node>) => setSelected({ of: filtersKey, rows });
  const [isListShown, setListShown] = useState(false);
  const [dialog, setDialog] = useState<{ action: Action; selection: BulkSelection; isBulk: boolean }>();
  const [isPasting, setPasting] = useState(false);
  const renewing = useRenewAll(filter);
  const shown = useShownNode();
  const isPhone = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);

  const cells = useNodeCells(isListShown);
  const { lineOf, format, protocol } = useEndpoint();
  const actions = useCallback(
    (node: Node) => (
      <span className={s.place}>
        {isPhone && (
          <IconButton size="small" label={t('list.detailsOf', { Ip: node.Ip })} onClick={() => shown.open(node.NodeId)}>
            <SidebarSimple size={16} />
          </IconButton>
        )}
        <IconButton size="small" label={t('list.copyLine', { Ip: node.Ip })} onClick={() => copy(lineOf(node))}>
          <Copy size={16} />
        </IconButton>
        <RowMenu
          node={node}
          t={t}
          onAct={(action) => setDialog({ action, selection: selectionOfNode(node), isBulk: false })}
          onDetails={() => shown.open(node.NodeId)}
        />
      </span>
    ),
    [t, lineOf, shown.open, isPhone],
  );
  const columns = useMemo<Column<Node>[]>(
    () => [
      {
        field: 'Ip',
        title: t('list.ip'),
        width: 214,
        pinned: 'left',
        always: true,
        sortable: true,
        cell: cells.address,
      },
      { field: 'Credentials', title: t('list.credentials'), width: 172, cell: cells.credentials },
      { field: 'City', title: t('list.place'), width: 216, flex: 1, sortable: true, cell: cells.placeAndIsp },
      { field: 'State', title: t('list.state'), width: 104, sortable: true, cell: cells.state },
      { field: 'ExpiresAt', title: t('list.expires'), width: 114, sortable: true, cell: cells.expires },
      { field: 'AutoRenew', title: t('list.autoRenew'), width: 122, cell: cells.autoRenew },
      { field: 'VerStr', title: t('list.tier'), width: 100, sortable: true, optional: true, cell: cells.tier },
      { field: 'GroupName', title: t('list.groupAndNote'), width: 156, optional: true, cell: cells.groupAndNote },
      {
        field: 'Actions',
        title: t('list.actions'),
        width: 96,
        pinned: 'right',
        always: true,
        cell: actions,
      },
    ],
    [t, cells, actions],
  );

  /** Rows beyond the loaded pages are exported by the server. */
  const copySelected = async () => {
    const { body, count } = bulkSelectionOf(selection, filter);
    const asked = { ...body, Format: 'txt', EndpointFormat: format, Protocol: protocol };
    try {
      const lines = body.All
        ? (await (await download('Ips/ExportNodes', asked)).text()).trimEnd()
        : selection.rows.map(lineOf).join('\n');
      await copy(lines, t('list.linesCopied', { count }));
    } catch {
      // The API client has shown the error toast.
    }
  };

  const close = (isDone: boolean) => {
    // After an action, other rows may match the filter, and switched proxies have new IPs.
    if (isDone && dialog?.isBulk && (selection.all !== undefined || dialog.action === 'switch'))
      select(nothingSelected);
    setDialog(undefined);
  };

  return (
    <>
      <DataGrid<Node>
        name={LIST}
        label={t('list.title')}
        columns={columns}
        rowId={nodeId}
        filters={filter.filters}
        onFiltersChange={filter.replaceAll}
        isTall
        visibleRows={12}
        load={loadNodes(filter)}
        onShown={() => setListShown(true)}
        toolbar={
          <>
            <NodeFilters state={filter} isListShown={isListShown} />
            <Button icon={<ListChecks size={16} />} onClick={() => setPasting(true)}>
              {t('select.open')}
            </Button>
          </>
        }
        selection={{
          value: selection,
          onChange: select,
          nameOf: (node) => node.Ip,
          withAll: true,
          actions: (
            <BulkActions
              onCopy={copySelected}
              onAct={(action) => setDialog({ action, selection: bulkSelectionOf(selection, filter), isBulk: true })}
            />
          ),
        }}
        card={(node) => (
          // Low cards, so that several are visible; further details are in the panel.
          <RowCard low>
            <RowLine className={room.addressLine}>
              {cells.address(node)}
              {actions(node)}
            </RowLine>
            <RowLine>
              <span className={room.placeAndGroup}>
                {cells.shortPlace(node)}
                {node.GroupId && cells.group(node)}
                {node.Note && <span className={s.ellipsis}>{node.Note}</span>}
              </span>
              {cells.state(node)}
            </RowLine>
            <RowLine>
              <span className={s.soft}>
                {fillText((marks) => t('list.expiresLine', marks), { Time: cells.expires(node) })}
              </span>
              {cells.autoRenewWithLabel(node)}
            </RowLine>
          </RowCard>
        )}
        empty={
          <EmptyState
            title={t('list.empty')}
            action={
              <ButtonLink to="/static-residential-proxies/order" variant="primary">
                {t('common:buyProxies')}
              </ButtonLink>
            }
          >
            {t('list.emptyHint')}
          </EmptyState>
        }
      />
      {shown.nodeId !== undefined && (
        <NodePanel
          nodeId={shown.nodeId}
          cells={cells}
          onAct={(action, node) => {
            shown.close();
            setDialog({ action, selection: selectionOfNode(node), isBulk: false });
          }}
          onClose={shown.close}
        />
      )}
      {isPasting && (
        <PasteAddresses
          onSelect={(rows) => {
            select({ rows });
            setPasting(false);
          }}
          onClose={() => setPasting(false)}
        />
      )}
      {renewing && <ActionDialog action="renew" selection={renewing.selection} onClose={renewing.end} />}
      {dialog && <ActionDialog action={dialog.action} selection={dialog.selection} onClose={close} />}
    </>
  );
}

/** Other screens link here to renew all proxies that the address filters: the dialog opens at once. */
function useRenewAll({ filter, search, filters }: ReturnType<typeof useNodeFilter>) {
  const [parameters, setParameters] = useSearchParams();
  const isAsked = parameters.get('Renew') === 'All';
  const matching = useQuery({
    queryKey: [LIST, 'to-renew', filters],
    queryFn: ({ signal }) =>
      post('Ips/GetUserNodeList', { PageSize: 1, Search: search, Filter: filter }, { signal, silent: true }),
    enabled: isAsked,
  });
  const count = matching.data?.Total ?? 0;
  if (!isAsked || count === 0) return undefined;
  const end = () =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete('Renew');
        return next;
      },
      { replace: true },
    );
  return { selection: bulkSelectionOf({ rows: [], all: count }, { filter, search }), end };
}

const NODE_KEY = 'Node';

/** The proxy whose panel is open, kept in the address so that it can be linked to. */
function useShownNode() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get(NODE_KEY) ?? '';
  const set = useCallback(
    (node: number | undefined) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          if (node === undefined) next.delete(NODE_KEY);
          else next.set(NODE_KEY, String(node));
          return next;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return {
    nodeId: /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : undefined,
    open: set,
    close: useCallback(() => set(undefined), [set]),
  };
}

const nodeId = (node: Node) => String(node.NodeId);

/** Selects the format in which proxies are copied. */
function CopyFormat() {
  const { t } = useTranslation('static_residential_proxies');
  const { formats, format, setFormat } = useEndpoint();
  return (
    <span className={room.copyFormat}>
      <span aria-hidden="true">{t('list.copyAs')}</span>
      <SelectField
        label={t('list.copyAs')}
        hideLabel
        value={format}
        onChange={(event) => setFormat(event.target.value)}
      >
        {formats.map((one) => (
          <option key={one} value={one}>
            {t(`format.${one}` as 'format.url')}
          </option>
        ))}
      </SelectField>
    </span>
  );
}
