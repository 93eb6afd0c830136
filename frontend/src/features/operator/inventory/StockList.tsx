// The stock by tier and city: how many nodes there are, how many sell, and how long the stock lasts.
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { loadStock, SHELVES, type Shelf } from '@/api/inventory';
import { SALES_DAYS, SHORT_STOCK_DAYS } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { useFilters } from '@/ui/listAddress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { useNumber } from '@/ui/texts';
import { Place } from './cells';
import { nodesOf } from './inventory';
import s from './inventory.module.css';
import { TierFilter } from './NodeFilters';
import { useTiers } from './tiers';

const shelfKey = ({ VerStr, Country, City }: Shelf) => [VerStr, Country, City].join('/');

/** `importing`: the button that opens the import, for those who may. */
export function StockList({ importing }: { importing: ReactNode }) {
  const { t } = useTranslation('inventory');
  const { tierName } = useTiers();
  const number = useNumber();
  const [filters, change] = useFilters(['Search', 'VerStr']);
  const columns = useMemo<Column<Shelf>[]>(
    () => [
      { field: 'City', title: t('place'), width: 240, flex: 1, always: true, cell: (shelf) => <Nodes of={shelf} /> },
      { field: 'VerStr', title: t('tier'), width: 150, flex: 1, cell: (shelf) => tierName(shelf.VerStr) },
      {
        field: 'Nodes',
        title: t('stock.nodes'),
        width: 110,
        align: 'right',
        sortable: true,
        cell: (shelf) => number(shelf.Nodes),
      },
      {
        field: 'Available',
        title: t('stock.available'),
        width: 110,
        align: 'right',
        sortable: true,
        cell: (shelf) => number(shelf.Available),
      },
      {
        field: 'Sold',
        title: t('stock.sold', { Days: SALES_DAYS }),
        width: 170,
        align: 'right',
        sortable: true,
        cell: (shelf) => number(shelf.Sold),
      },
      {
        field: 'DaysLeft',
        title: t('stock.lasts'),
        width: 160,
        sortable: true,
        cell: (shelf) => <Lasts of={shelf} />,
      },
    ],
    [t, tierName, number],
  );
  return (
    <DataGrid<Shelf>
      name={SHELVES}
      label={t('view.stock')}
      columns={columns}
      rowId={shelfKey}
      filters={filters}
      load={loadStock(filters)}
      toolbar={
        <>
          <DebouncedSearch
            label={t('stock.search')}
            value={filters.Search}
            onSearch={(text) => change({ Search: text })}
          />
          <TierFilter value={filters.VerStr} onChange={(verStr) => change({ VerStr: verStr })} />
        </>
      }
      card={(shelf) => (
        <RowCard low>
          <RowLine>
            <Nodes of={shelf} />
            <Lasts of={shelf} />
          </RowLine>
          <RowLine soft>
            <span>{tierName(shelf.VerStr)}</span>
            <span>{t('stock.availableOf', { Available: shelf.Available, Nodes: shelf.Nodes })}</span>
          </RowLine>
          <RowLine soft>{t('stock.soldLine', { Days: SALES_DAYS, Sold: shelf.Sold })}</RowLine>
        </RowCard>
      )}
      empty={
        <EmptyState title={t('empty.title')} action={importing}>
          {importing && t('empty.hint')}
        </EmptyState>
      }
    />
  );
}

/** The place, with a link to its nodes. */
function Nodes({ of }: { of: Shelf }) {
  const { VerStr, Country, City } = of;
  return (
    <Link className={s.link} to={nodesOf({ VerStr, Country, City })}>
      <Place of={of} />
    </Link>
  );
}

/** For how long the stock lasts. */
function Lasts({ of: { Available, DaysLeft } }: { of: Shelf }) {
  const { t } = useTranslation('inventory');
  if (Available === 0) return <Badge tone="bad">{t('stock.none')}</Badge>;
  if (DaysLeft === null || DaysLeft === undefined) return <span className={s.soft}>{t('stock.noSales')}</span>;
  const text = DaysLeft === 0 ? t('stock.lessThanDay') : t('stock.days', { count: DaysLeft });
  return DaysLeft < SHORT_STOCK_DAYS ? <Badge tone="warn">{text}</Badge> : <span>{text}</span>;
}
