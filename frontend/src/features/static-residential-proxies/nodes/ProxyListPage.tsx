// The account's static proxies.
import { Copy, ListChecks, ShoppingCart, SidebarSimple } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { loadNodes, nodesQuery, PROXY_LIST } from '@/api/staticProxies';
import type { EndpointFormat } from '@/core';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';
import { Button, ButtonLink, IconButton } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { copy } from '@/ui/CopyButton';
import { type Column, DataGrid, nothingSelected, preloadList, type Selection } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { dayOf } from '@/ui/texts';
import { useMedia } from '@/ui/useMedia';
import s from '../static.module.css';
import { useEndpoint } from '../useEndpoint';
import { type BulkSelection, bulkSelectionOf, selectionOfNode } from './bulkSelection';
import { type Action, ActionDialog, BulkActions, RowMenu } from './NodeActions';
import { useNodeCells } from './NodeCells';
import { NodeFilters } from './NodeFilters';
import { NodePanel } from './NodePanel';
import local from './nodes.module.css';
import { PasteAddresses } from './PasteAddresses';
import { useCopyNodes } from './useCopyNodes';
import { nodeFilterOf, useNodeFilter } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

const VIEW_KEY = 'view';
const USAGE = 'usage';

/** Prefetches the list. */
export function preloadNodes({ request }: { request: Request }) {
  const address = new URL(request.url).searchParams;
  const asked = nodeFilterOf(address);
  if (useUserStore.getState().info && address.get(VIEW_KEY) !== USAGE)
    preloadList(queryClient(), address, {
      name: PROXY_LIST,
      filters: asked.filters,
      load: loadNodes({ Search: asked.search, Filter: asked.filter }),
    });
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
      <div className={local.tabs}>
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
  const { lineOf, setFormat } = useEndpoint();
  const copyNodes = useCopyNodes();
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
      { field: 'Credentials', title: t('list.credentials'), width: 172, compactWidth: 262, cell: cells.credentials },
      { field: 'City', title: t('list.place'), width: 216, flex: 1, sortable: true, cell: cells.placeAndIsp },
      { field: 'State', title: t('list.state'), width: 104, sortable: true, cell: cells.state },
      {
        field: 'ExpiresAt',
        title: t('list.expires'),
        width: 114,
        compactWidth: 190,
        sortable: true,
        cell: cells.expiresWithDay,
      },
      { field: 'AutoRenew', title: t('list.autoRenew'), width: 122, cell: cells.autoRenew },
      { field: 'GroupName', title: t('list.groupAndNote'), width: 156, optional: 'room', cell: cells.groupAndNote },
      { field: 'VerStr', title: t('list.tier'), width: 100, sortable: true, optional: true, cell: cells.tier },
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

  const copySelected = (as: EndpointFormat) => {
    setFormat(as);
    copyNodes(bulkSelectionOf(selection, filter), as);
  };

  const close = (isDone: boolean) => {
    // After an action, other rows may match the filter, and switched proxies are other ones.
    if (isDone && (dialog?.action === 'switch' || (dialog?.isBulk && selection.all !== undefined)))
      select(nothingSelected);
    setDialog(undefined);
  };

  return (
    <>
      <DataGrid<Node>
        name={PROXY_LIST}
        label={t('list.title')}
        columns={columns}
        rowId={nodeId}
        filters={filter.filters}
        onFiltersChange={filter.replaceAll}
        isTall
        visibleRows={12}
        load={loadNodes({ Search: filter.search, Filter: filter.filter })}
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
            <RowLine className={local.addressLine}>
              {cells.address(node)}
              {actions(node)}
            </RowLine>
            <RowLine>
              <span className={local.placeAndGroup}>
                {cells.shortPlace(node)}
                {node.GroupId && cells.group(node)}
                {node.Note && <span className={s.ellipsis}>{node.Note}</span>}
              </span>
              {cells.state(node)}
            </RowLine>
            <RowLine>
              <span className={`${s.soft} ${local.expiry}`}>
                {fillText((marks) => t('list.expiresLine', marks), { Time: cells.expires(node) })}{' '}
                {node.ExpiresAt && <small>{dayOf(node.ExpiresAt)}</small>}
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
function useRenewAll({ filter, search }: ReturnType<typeof useNodeFilter>) {
  const [parameters, setParameters] = useSearchParams();
  const isAsked = parameters.get('Renew') === 'All';
  const matching = useQuery({
    ...nodesQuery('to-renew', 1, { Search: search, Filter: filter }),
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

/** The proxy whose panel is open, in the address: it can be linked to, and going back closes it. */
function useShownNode() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get(NODE_KEY) ?? '';
  const navigate = useNavigate();
  // Whether the entry before this one in the history is the list without the panel.
  const isOpenedHere = (useLocation().state as { isDetails?: boolean } | null)?.isDetails === true;
  const open = useCallback(
    (node: number) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          next.set(NODE_KEY, String(node));
          return next;
        },
        { state: { isDetails: true } },
      ),
    [setParameters],
  );
  const close = useCallback(() => {
    if (isOpenedHere) return navigate(-1);
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete(NODE_KEY);
        return next;
      },
      { replace: true },
    );
  }, [isOpenedHere, navigate, setParameters]);
  return {
    nodeId: /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : undefined,
    open,
    close,
  };
}

const nodeId = (node: Node) => String(node.NodeId);

/** Selects the format in which proxies are copied. */
function CopyFormat() {
  const { t } = useTranslation('static_residential_proxies');
  const { formats, format, setFormat } = useEndpoint();
  return (
    <span className={local.copyFormat}>
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
