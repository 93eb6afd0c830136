// The nodes in stock of the tier of a faulty one, to choose its replacement.
import { useTranslation } from 'react-i18next';
import { type InventoryNode, loadInventory, REPLACEMENTS } from '@/api/inventory';
import { NodeState } from '@/core/constants.gen';
import { type Column, DataGrid, type Selection } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { useFilters } from '@/ui/listAddress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { NONE, Place } from './cells';
import { PlaceFilters } from './NodeFilters';

interface ReplacementListProps {
  node: InventoryNode;
  value: Selection<InventoryNode>;
  onChange: (value: Selection<InventoryNode>) => void;
}

export function ReplacementList({ node: { VerStr, Country: country }, value, onChange }: ReplacementListProps) {
  const { t } = useTranslation('inventory');
  const [filters, change] = useFilters(['Search', 'Country', 'City'], { Search: '', Country: country, City: '' });
  const { Search, Country, City } = filters;
  const columns: Column<InventoryNode>[] = [
    { field: 'Ip', title: t('ip'), width: 150, always: true, cell: (node) => <code>{node.Ip}</code> },
    { field: 'City', title: t('place'), width: 190, flex: 1, cell: (node) => <Place of={node} /> },
    { field: 'Isp', title: t('isp'), width: 160, flex: 1, cell: (node) => node.Isp },
    { field: 'Supplier', title: t('supplier'), width: 120, cell: (node) => node.Supplier || NONE },
  ];
  return (
    <DataGrid<InventoryNode>
      name={REPLACEMENTS}
      label={t('replace.chosen')}
      columns={columns}
      rowId={(node) => String(node.NodeId)}
      filters={filters}
      queryKey={VerStr}
      isInDialog
      load={loadInventory({ Search, Filter: { State: NodeState.Available, VerStr, Country, City } })}
      visibleRows={5}
      selection={{ one: true, value, onChange, nameOf: (node) => node.Ip }}
      toolbar={
        <>
          <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
          <PlaceFilters Country={Country} City={City} onChange={change} />
        </>
      }
      card={(node) => (
        <RowCard low>
          <RowLine>
            <code>{node.Ip}</code>
          </RowLine>
          <RowLine soft>
            <Place of={node} />
          </RowLine>
          <RowLine soft wrap>
            <span>{node.Isp}</span>
            <span>{node.Supplier}</span>
          </RowLine>
        </RowCard>
      )}
      empty={<EmptyState title={t('replace.nothing')}>{t('replace.nothingHint')}</EmptyState>}
    />
  );
}
