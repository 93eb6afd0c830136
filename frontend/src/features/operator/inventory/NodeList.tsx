// The nodes of the shop: state, place, supplier and owner, and what can be done with them.
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { INVENTORY, type InventoryNode, loadInventory } from '@/api/inventory';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { type Column, DataGrid, nothingSelected, type Selection } from '@/ui/DataGrid';
import { portsOf } from '@/ui/ports';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { Copied } from '@/ui/Secret';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { NONE, Place, StateBadge } from './cells';
import { chosenFrom } from './chosen';
import { type InventoryFilter, nodesOf } from './inventory';
import s from './inventory.module.css';
import { ActionDialog, BulkActions, type Doing, mayDo, RowMenu, WITH_MANY } from './NodeActions';
import { NodeFilters } from './NodeFilters';
import { useTiers } from './tiers';
import { useUseCases } from './useCases';

const nodeId = (node: InventoryNode) => String(node.NodeId);

/** `importing`: the button that opens the import, for those who may. */
export function NodeList({ filter, importing }: { filter: InventoryFilter; importing: ReactNode }) {
  const { t } = useTranslation('inventory');
  const { tierName } = useTiers();
  const { useCases, namesOf } = useUseCases();
  const hasUseCases = useCases?.length !== 0;
  const { filters, asked, change } = filter;
  const filtersKey = JSON.stringify(filters);
  // Changing the filters clears the selection.
  const [selected, setSelected] = useState<{ of: string; rows: Selection<InventoryNode> }>();
  const selection = selected?.of === filtersKey ? selected.rows : nothingSelected;
  const [doing, setDoing] = useState<Doing>();
  const may = useMay();
  const hasActions = mayDo(may).length > 0;
  const bulk = mayDo(may, WITH_MANY);
  const columns = useMemo<Column<InventoryNode>[]>(
    () => [
      {
        field: 'Ip',
        title: t('ip'),
        width: 176,
        pinned: 'left',
        always: true,
        sortable: true,
        cell: ({ Ip }) => <Copied text={Ip} label={t('copyIp', { Ip })} />,
      },
      {
        field: 'State',
        title: t('state'),
        width: 148,
        sortable: true,
        cell: (node) => <StateBadge state={node.State} />,
      },
      { field: 'VerStr', title: t('tier'), width: 120, cell: (node) => tierName(node.VerStr) },
      { field: 'City', title: t('place'), width: 200, flex: 1, sortable: true, cell: (node) => <Place of={node} /> },
      { field: 'Isp', title: t('isp'), width: 170, flex: 1, sortable: true, cell: (node) => node.Isp },
      { field: 'Asn', title: t('asn'), width: 104, optional: true, cell: (node) => `AS${node.Asn}` },
      { field: 'Ports', title: t('ports'), width: 190, optional: true, cell: portsOf },
      { field: 'Supplier', title: t('supplier'), width: 130, sortable: true, cell: (node) => <Supplier node={node} /> },
      {
        field: 'Cost',
        title: t('cost'),
        width: 100,
        align: 'right',
        optional: true,
        cell: (node) => <MoneyText amount={node.Cost} currency={node.Currency} />,
      },
      { field: 'Email', title: t('owner'), width: 200, optional: 'room', cell: (node) => <Owner node={node} /> },
      ...(hasUseCases
        ? [
            {
              field: 'Targets',
              title: t('view.useCases'),
              width: 200,
              optional: 'room' as const,
              cell: ({ Targets }: InventoryNode) => <UseCases names={namesOf(Targets)} />,
            },
          ]
        : []),
      { field: 'Server', title: t('server'), width: 130, optional: true, cell: (node) => node.Server ?? NONE },
      {
        field: 'ExpiresAt',
        title: t('expires'),
        width: 176,
        optional: true,
        cell: (node) => <DateText value={node.ExpiresAt} />,
      },
      {
        field: 'FreeAt',
        title: t('freeAt'),
        width: 176,
        optional: true,
        cell: (node) => <DateText value={node.FreeAt} />,
      },
      ...(hasActions
        ? [
            {
              field: 'Actions',
              title: t('actions'),
              width: 84,
              pinned: 'right' as const,
              always: true,
              cell: (node: InventoryNode) => <RowMenu node={node} t={t} onAct={setDoing} />,
            },
          ]
        : []),
    ],
    [t, tierName, namesOf, hasUseCases, hasActions],
  );
  return (
    <>
      <DataGrid<InventoryNode>
        name={INVENTORY}
        label={t('view.nodes')}
        columns={columns}
        rowId={nodeId}
        filters={filters}
        load={loadInventory(asked)}
        toolbar={<NodeFilters filters={filters} change={change} />}
        {...(bulk.length > 0 && {
          selection: {
            value: selection,
            onChange: (rows: Selection<InventoryNode>) => setSelected({ of: filtersKey, rows }),
            nameOf: (node: InventoryNode) => node.Ip,
            withAll: true,
            actions: (
              <BulkActions
                actions={bulk}
                onAct={(action) => setDoing({ action, chosen: chosenFrom(selection, asked) })}
              />
            ),
          },
        })}
        card={(node) => (
          <RowCard low>
            <RowLine>
              <span className={s.copied}>
                <Copied text={node.Ip} label={t('copyIp', { Ip: node.Ip })} />
              </span>
              <RowActions>
                <RowMenu node={node} t={t} onAct={setDoing} />
              </RowActions>
            </RowLine>
            <RowLine>
              <Place of={node} />
              <StateBadge state={node.State} />
            </RowLine>
            <RowLine soft className={s.shrinking}>
              <span>
                {tierName(node.VerStr)} · {node.Isp}
              </span>
              {node.Supplier && <Supplier node={node} />}
            </RowLine>
            {node.Email ? (
              <RowLine soft className={s.shrinking}>
                <Owner node={node} />
                {node.ExpiresAt && <DateText value={node.ExpiresAt} />}
              </RowLine>
            ) : (
              // What customers choose it by, while they can; a row has no more than four lines.
              node.Targets.length > 0 && (
                <RowLine soft className={s.shrinking}>
                  <UseCases names={namesOf(node.Targets)} />
                </RowLine>
              )
            )}
          </RowCard>
        )}
        empty={
          <EmptyState title={t('empty.title')} action={importing}>
            {importing && t('empty.hint')}
          </EmptyState>
        }
      />
      {doing && (
        <ActionDialog
          {...doing}
          // The selected rows have changed, and may no longer match the filters.
          onDone={() => setSelected(undefined)}
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  );
}

/** Leads to the other nodes of the supplier. */
function Supplier({ node: { Supplier: supplier } }: { node: InventoryNode }) {
  const { t } = useTranslation('inventory');
  if (!supplier) return NONE;
  return (
    <Link className={s.link} to={nodesOf({ Supplier: supplier })} title={t('onlySupplier', { Supplier: supplier })}>
      {supplier}
    </Link>
  );
}

/** All of them are shown on hover, where there is no room for them. */
function UseCases({ names }: { names: string[] }) {
  if (names.length === 0) return NONE;
  const text = names.join(' · ');
  return (
    <span className={s.ellipsis} title={text}>
      {text}
    </span>
  );
}

function Owner({ node: { AccountId, Email } }: { node: InventoryNode }) {
  const { t } = useTranslation('inventory');
  if (!AccountId) return NONE;
  return (
    <Link className={s.link} to={`${OPERATOR_PATH}/accounts/${AccountId}`}>
      {Email ?? t('onlyAccount', { AccountId: String(AccountId) })}
    </Link>
  );
}
