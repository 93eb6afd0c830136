// The proxies that the account owns, and everything that is done with them.
import { Copy, ShoppingCart } from '@phosphor-icons/react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { ButtonLink, IconButton } from '@/ui/Button';
import { useCopy } from '@/ui/CopyButton';
import { type Column, DataGrid, nothingSelected, type Selection } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { idle } from '@/ui/idle';
import { Page } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { type Chosen, chosenNode, chosenOf } from './chosen';
import { type Action, ActionDialog, BulkActions, RowMenu } from './NodeActions';
import {
  Address,
  AutoRenew,
  GroupName,
  NodeStateBadge,
  Place,
  Protocols,
  Secret,
  TierName,
  UserName,
} from './NodeCells';
import { NodeFilters } from './NodeFilters';
import s from './static.module.css';
import { useEndpoint } from './useEndpoint';
import { useNodeFilter } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

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

  const columns = useMemo<Column<Node>[]>(
    () => [
      { field: 'Ip', title: t('list.ip'), width: 170, sortable: true, cell: (node) => <Address node={node} /> },
      { field: 'Protocols', title: t('list.protocols'), width: 212, cell: (node) => <Protocols node={node} /> },
      { field: 'UserName', title: t('list.userName'), width: 150, cell: (node) => <UserName node={node} /> },
      {
        field: 'Password',
        title: t('list.password'),
        width: 170,
        cell: (node) => <Secret text={node.Password} label={t('list.copyPassword')} />,
      },
      {
        field: 'City',
        title: t('list.place'),
        width: 230,
        flex: 1,
        sortable: true,
        cell: (node) => <Place node={node} />,
      },
      { field: 'Isp', title: t('list.isp'), width: 170, sortable: true, cell: (node) => node.Isp },
      {
        field: 'VerStr',
        title: t('list.tier'),
        width: 110,
        sortable: true,
        cell: (node) => <TierName verStr={node.VerStr} />,
      },
      { field: 'GroupName', title: t('list.group'), width: 130, cell: (node) => <GroupName node={node} /> },
      { field: 'Note', title: t('list.note'), width: 140, cell: (node) => node.Note || '–' },
      {
        field: 'State',
        title: t('list.state'),
        width: 110,
        sortable: true,
        cell: (node) => <NodeStateBadge state={node.State} />,
      },
      {
        field: 'ExpiresAt',
        title: t('list.expires'),
        width: 180,
        sortable: true,
        cell: (node) => <DateText value={node.ExpiresAt ?? null} />,
      },
      { field: 'AutoRenew', title: t('list.autoRenew'), width: 110, cell: (node) => <AutoRenew node={node} /> },
      {
        field: 'Actions',
        title: t('list.actions'),
        width: 100,
        pinned: 'right',
        always: true,
        cell: (node) => (
          <RowActions node={node} onAct={(action) => setBegun({ action, chosen: chosenNode(node), isBulk: false })} />
        ),
      },
    ],
    [t],
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
        name="proxy-list"
        label={t('list.title')}
        columns={columns}
        rowId={nodeId}
        narrowedBy={filter.narrowedBy}
        onNarrow={filter.replaceAll}
        load={async (list, signal) => {
          const body = { ...list, Search: filter.search, Filter: filter.filter };
          const page = await post('Ips/GetUserNodeList', body, { signal });
          idle().then(() => setListShown(true));
          return page;
        }}
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
          <NodeCard node={node} onAct={(action) => setBegun({ action, chosen: chosenNode(node), isBulk: false })} />
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

function RowActions({ node, onAct }: { node: Node; onAct: (action: Action) => void }) {
  const { t } = useTranslation('static_residential_proxies');
  const copy = useCopy();
  const { lineOf } = useEndpoint();
  return (
    <span className={s.place}>
      <IconButton size="small" label={t('list.copyLine', { Ip: node.Ip })} onClick={() => copy(lineOf(node))}>
        <Copy size={16} />
      </IconButton>
      <RowMenu node={node} onAct={onAct} />
    </span>
  );
}

function NodeCard({ node, onAct }: { node: Node; onAct: (action: Action) => void }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <div className={s.listCard}>
      <div>
        <Address node={node} />
        <RowActions node={node} onAct={onAct} />
      </div>
      <div>
        <Place node={node} />
        <NodeStateBadge state={node.State} />
      </div>
      <div className={s.soft}>
        <span>
          <TierName verStr={node.VerStr} /> · {node.Isp}
        </span>
      </div>
      <div className={s.wrap}>
        <UserName node={node} />
        <Secret text={node.Password} label={t('list.copyPassword')} />
      </div>
      {(node.GroupId || node.Note) && (
        <div className={s.soft}>
          {node.GroupId ? <GroupName node={node} /> : <span />}
          <span>{node.Note}</span>
        </div>
      )}
      <div className={s.wrap}>
        <span className={s.soft}>
          {t('list.expires')} <DateText value={node.ExpiresAt ?? null} />
        </span>
        <AutoRenew node={node} showLabel />
      </div>
    </div>
  );
}
