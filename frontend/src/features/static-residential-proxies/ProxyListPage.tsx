// The proxies that the account owns, and everything that is done with them.
import { Copy, ShoppingCart } from '@phosphor-icons/react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
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
import { type Chosen, chosenNode, chosenOf } from './chosen';
import { type Action, ActionDialog, BulkActions, RowMenu } from './NodeActions';
import { useNodeCells } from './NodeCells';
import { NodeFilters } from './NodeFilters';
import s from './static.module.css';
import { useEndpoint } from './useEndpoint';
import { nodeFilterOf, useNodeFilter } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

const LIST = 'proxy-list';

const loadNodes =
  ({ search, filter }: ReturnType<typeof nodeFilterOf>) =>
  (list: ListParameters, signal: AbortSignal) =>
    post('Ips/GetUserNodeList', { ...list, Search: search, Filter: filter }, { signal });

/** The list is asked for while its screen is still being made. */
export function preloadNodes({ request }: { request: Request }) {
  const asked = nodeFilterOf(new URL(request.url).searchParams);
  if (useUserStore.getState().info)
    preloadList(queryClient(), { name: LIST, narrowedBy: asked.narrowedBy, load: loadNodes(asked) });
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

  const cells = useNodeCells(isListShown);
  const { lineOf } = useEndpoint();
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
      { field: 'Ip', title: t('list.ip'), width: 170, sortable: true, cell: cells.address },
      { field: 'Protocols', title: t('list.protocols'), width: 212, cell: cells.protocols },
      { field: 'UserName', title: t('list.userName'), width: 150, cell: cells.userName },
      { field: 'Password', title: t('list.password'), width: 170, cell: cells.password },
      { field: 'City', title: t('list.place'), width: 230, flex: 1, sortable: true, cell: cells.place },
      { field: 'Isp', title: t('list.isp'), width: 170, sortable: true, cell: cells.isp },
      { field: 'VerStr', title: t('list.tier'), width: 110, sortable: true, cell: cells.tier },
      { field: 'GroupName', title: t('list.group'), width: 130, cell: cells.group },
      { field: 'Note', title: t('list.note'), width: 140, cell: cells.note },
      { field: 'State', title: t('list.state'), width: 110, sortable: true, cell: cells.state },
      { field: 'ExpiresAt', title: t('list.expires'), width: 180, sortable: true, cell: cells.expires },
      { field: 'AutoRenew', title: t('list.autoRenew'), width: 110, cell: cells.autoRenew },
      {
        field: 'Actions',
        title: t('list.actions'),
        width: 100,
        pinned: 'right',
        always: true,
        cell: actions,
      },
    ],
    [t, cells, actions],
  );

  const close = (isDone: boolean) => {
    // What "all that match" are may be others now, and switched ones have become others.
    if (isDone && begun?.isBulk && (selection.all !== undefined || begun.action === 'switch')) select(nothingSelected);
    setBegun(undefined);
  };

  return (
    <Page
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
        load={loadNodes(filter)}
        onShown={() => setListShown(true)}
        toolbar={<NodeFilters state={filter} isListShown={isListShown} />}
        selection={{
          value: selection,
          onChange: select,
          nameOf: (node) => node.Ip,
          withAll: true,
          actions: (
            <BulkActions onAct={(action) => setBegun({ action, chosen: chosenOf(selection, filter), isBulk: true })} />
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
            <div className={s.wrap}>
              {cells.userName(node)}
              {cells.password(node)}
            </div>
            {(node.GroupId || node.Note) && (
              <div className={s.soft}>
                {node.GroupId ? cells.group(node) : <span />}
                <span>{node.Note}</span>
              </div>
            )}
            <div className={s.wrap}>
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
      {begun && <ActionDialog action={begun.action} chosen={begun.chosen} onClose={close} />}
    </Page>
  );
}

const nodeId = (node: Node) => String(node.NodeId);

/** In which form a proxy is copied. */
function CopyFormat() {
  const { t } = useTranslation('static_residential_proxies');
  const { formats, format, setFormat } = useEndpoint();
  return (
    <span className={s.copyFormat}>
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
