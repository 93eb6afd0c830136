// The proxies that the account owns, and everything that is done with them.
import { Copy, ShoppingCart } from '@phosphor-icons/react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { download, post, type Schemas } from '@/api/client';
import { usePlanInfo } from '@/stores/planInfo';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';
import { ButtonLink, IconButton } from '@/ui/Button';
import { copy } from '@/ui/CopyButton';
import {
  type Column,
  DataGrid,
  type ListParameters,
  nothingSelected,
  preloadList,
  type Selection,
} from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { Page } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import s from '../static.module.css';
import { useEndpoint } from '../useEndpoint';
import { type Chosen, chosenNode, chosenOf } from './chosen';
import { type Action, ActionDialog, BulkActions, RowMenu } from './NodeActions';
import { useNodeCells } from './NodeCells';
import { NodeFilters } from './NodeFilters';
import room from './nodes.module.css';
import { nodeFilterOf, useNodeFilter } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

const LIST = 'proxy-list';

const loadNodes =
  ({ search, filter }: ReturnType<typeof nodeFilterOf>) =>
  (list: ListParameters, signal: AbortSignal) =>
    post('Ips/GetUserNodeList', { ...list, Search: search, Filter: filter }, { signal });

/** The list is asked for while its screen is still being made. */
export function preloadNodes({ request }: { request: Request }) {
  const address = new URL(request.url).searchParams;
  const asked = nodeFilterOf(address);
  if (useUserStore.getState().info)
    preloadList(queryClient(), address, { name: LIST, narrowedBy: asked.narrowedBy, load: loadNodes(asked) });
  return null;
}

export function ProxyListPage() {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const filter = useNodeFilter();
  const narrowing = JSON.stringify(filter.narrowedBy);
  // What is selected belongs to what was looked at: other filters begin with nothing selected.
  const [selected, setSelected] = useState<{ of: string; rows: Selection<Node> }>({ of: '', rows: nothingSelected });
  const selection = selected.of === narrowing ? selected.rows : nothingSelected;
  const select = (rows: Selection<Node>) => setSelected({ of: narrowing, rows });
  const [isListShown, setListShown] = useState(false);
  const [begun, setBegun] = useState<{ action: Action; chosen: Chosen; isBulk: boolean }>();
  const renewing = useRenewAll(filter);

  const cells = useNodeCells(isListShown);
  const { lineOf, format, protocol } = useEndpoint();
  const actions = useCallback(
    (node: Node) => (
      <span className={s.place}>
        <IconButton size="small" label={t('list.copyLine', { Ip: node.Ip })} onClick={() => copy(lineOf(node))}>
          <Copy size={16} />
        </IconButton>
        <RowMenu node={node} t={t} onAct={(action) => setBegun({ action, chosen: chosenNode(node), isBulk: false })} />
      </span>
    ),
    [t, lineOf],
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
      { field: 'AutoRenew', title: t('list.autoRenew'), width: 112, cell: cells.autoRenew },
      { field: 'VerStr', title: t('list.tier'), width: 92, sortable: true, cell: cells.tier },
      { field: 'GroupName', title: t('list.groupAndNote'), width: 142, cell: cells.groupAndNote },
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

  /** What is not on the pages that were seen, the server writes. */
  const copyChosen = async () => {
    const { body, count } = chosenOf(selection, filter);
    const asked = { ...body, Format: 'txt', EndpointFormat: format, Protocol: protocol };
    try {
      const lines = body.All
        ? (await (await download('Ips/ExportNodes', asked)).text()).trimEnd()
        : selection.rows.map(lineOf).join('\n');
      await copy(lines, t('list.linesCopied', { count }));
    } catch {
      // A toast has said why.
    }
  };

  const close = (isDone: boolean) => {
    // What "all that match" are may be others now, and switched ones have become others.
    if (isDone && begun?.isBulk && (selection.all !== undefined || begun.action === 'switch')) select(nothingSelected);
    setBegun(undefined);
  };

  return (
    <Page
      wide
      title={t('list.title')}
      description={t('list.lead')}
      actions={
        <>
          <CopyFormat />
          <ButtonLink to="/static-residential-proxies/order" variant="primary" icon={<ShoppingCart size={17} />}>
            {t('common:buyProxies')}
          </ButtonLink>
        </>
      }
    >
      <DataGrid<Node>
        name={LIST}
        label={t('list.title')}
        columns={columns}
        rowId={nodeId}
        narrowedBy={filter.narrowedBy}
        onNarrow={filter.replaceAll}
        isTall
        visibleRows={12}
        load={loadNodes(filter)}
        onShown={() => setListShown(true)}
        toolbar={<NodeFilters state={filter} isListShown={isListShown} />}
        selection={{
          value: selection,
          onChange: select,
          nameOf: (node) => node.Ip,
          withAll: true,
          actions: (
            <BulkActions
              onCopy={copyChosen}
              onAct={(action) => setBegun({ action, chosen: chosenOf(selection, filter), isBulk: true })}
            />
          ),
        }}
        card={(node) => (
          <div className={s.listCard}>
            <div>
              {cells.address(node)}
              {actions(node)}
            </div>
            <div>
              {cells.place(node)}
              {cells.state(node)}
            </div>
            <div className={s.soft}>
              <span>
                {cells.tier(node)} · {node.Isp}
              </span>
            </div>
            <div className={room.wrap}>{cells.credentials(node)}</div>
            {(node.GroupId || node.Note) && (
              <div className={s.soft}>
                {node.GroupId ? cells.group(node) : <span />}
                <span>{node.Note}</span>
              </div>
            )}
            <div className={room.wrap}>
              <span className={s.soft}>
                {t('list.expires')} {cells.expires(node)}
              </span>
              {cells.autoRenewWithLabel(node)}
            </div>
          </div>
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
      {renewing && <ActionDialog action="renew" chosen={renewing.chosen} onClose={renewing.end} />}
      {begun && <ActionDialog action={begun.action} chosen={begun.chosen} onClose={close} />}
    </Page>
  );
}

/** Billing leads here to renew all of a plan: the dialog is open from the start. */
function useRenewAll(filter: ReturnType<typeof useNodeFilter>) {
  const [parameters, setParameters] = useSearchParams();
  const isAsked = parameters.get('Renew') === 'All';
  const plans = usePlanInfo(isAsked);
  const count = plans.data?.find((plan) => plan.VerStr === filter.filter.VerStr)?.IpsCount ?? 0;
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
  return { chosen: chosenOf({ rows: [], all: count }, filter), end };
}

const nodeId = (node: Node) => String(node.NodeId);

/** In which form a proxy is copied. */
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
