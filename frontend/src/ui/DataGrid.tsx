// Lists: one page at a time from the server, as a grid, or as cards on a phone. The only place that knows ag-grid.
import { AG_GRID_LOCALE_CN } from '@ag-grid-community/locale';
import { CaretLeft, CaretRight, Columns } from '@phosphor-icons/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnAutoSizeModule,
  LocaleModule,
  ModuleRegistry,
  RowAutoHeightModule,
  type SortChangedEvent,
  themeQuartz,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COLUMNS_KEY_PREFIX, DEFAULT_PAGE_SIZE, MOBILE_MAX_WIDTH, PAGE_SIZES } from '@/core/constants.gen';
import { Button, IconButton } from './Button';
import s from './data-grid.module.css';
import { SelectField } from './Field';
import { LoadingState } from './Loading';
import { CheckMenu } from './Overlay';
import { EmptyState, ErrorState } from './State';
import { useMedia } from './useMedia';

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  LocaleModule,
  ColumnAutoSizeModule,
  RowAutoHeightModule,
]);

const theme = themeQuartz.withParams({
  fontFamily: 'var(--font)',
  fontSize: 14,
  borderRadius: 6,
  wrapperBorderRadius: 6,
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--text)',
  headerBackgroundColor: 'var(--surface)',
  headerTextColor: 'var(--soft)',
  headerFontWeight: 500,
  borderColor: 'var(--line)',
  rowHoverColor: 'var(--sunken)',
  accentColor: 'var(--accent)',
  rowHeight: 44,
  headerHeight: 42,
  wrapperBorder: false,
  columnBorder: false,
});

export interface Column<Row> {
  /** The field that the server sorts by, and the column's name. */
  field: string;
  title: string;
  width?: number;
  /** Grows to fill the grid. */
  flex?: number;
  sortable?: boolean;
  align?: 'right';
  cell: (row: Row) => ReactNode;
}

export interface ListParameters {
  Page: number;
  PageSize: number;
  Sort: { Field: string; Direction: 'asc' | 'desc' }[];
}

interface DataGridProps<Row> {
  /** Names the list: its query, and what is remembered of its columns. */
  name: string;
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  /** What else the list depends on: filters and search. A change leads back to the first page. */
  narrowedBy?: unknown;
  load: (list: ListParameters, signal: AbortSignal) => Promise<{ Rows: Row[]; Total: number }>;
  card: (row: Row) => ReactNode;
  toolbar?: ReactNode;
  empty: ReactNode;
  refetchInterval?: number;
}

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { name, label, columns, rowId, narrowedBy, load, card, toolbar, empty, refetchInterval } = props;
  const { t, i18n } = useTranslation();
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const [pageSize, setPageSize] = useState<number>(DEFAULT_PAGE_SIZE);
  const [sort, setSort] = useState<ListParameters['Sort']>([]);
  const [hidden, setHidden] = useHiddenColumns(name);
  const narrowing = JSON.stringify(narrowedBy ?? null);
  // A page belongs to what the list was narrowed by when it was turned to.
  const [turned, setTurned] = useState({ page: 1, narrowing });
  const page = turned.narrowing === narrowing ? turned.page : 1;
  const setPage = (next: number) => setTurned({ page: next, narrowing });

  const list = useQuery({
    queryKey: [name, page, pageSize, sort, narrowing],
    queryFn: ({ signal }) => load({ Page: page, PageSize: pageSize, Sort: sort }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetchInterval ?? false,
  });
  const rows = list.data?.Rows;
  const total = list.data?.Total ?? 0;
  const shown = columns.filter((column) => !hidden.includes(column.field));

  let body: ReactNode;
  if (list.isError && !rows) body = <ErrorState onRetry={() => list.refetch()} />;
  else if (!rows)
    body = (
      <div className={s.loading}>
        <LoadingState rows={8} />
      </div>
    );
  else if (total === 0)
    body =
      narrowing === 'null' || isBlank(narrowedBy) ? (
        empty
      ) : (
        <EmptyState title={t('noRows')}>{t('noRowsHint')}</EmptyState>
      );
  else if (isMobile) {
    body = (
      <ul className={s.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={rowId(row)}>{card(row)}</li>
        ))}
      </ul>
    );
  } else {
    body = (
      <Grid
        key={i18n.language}
        label={label}
        columns={shown}
        rows={rows}
        rowId={rowId}
        onSort={(next) => {
          setSort(next);
          setTurned({ page: 1, narrowing });
        }}
        isChinese={i18n.language === 'zh'}
      />
    );
  }
  return (
    <section className={s.frame} aria-busy={list.isFetching}>
      <div className={s.toolbar}>
        <div className={s.filters}>{toolbar}</div>
        {!isMobile && (
          <CheckMenu
            label={t('columns')}
            trigger={
              <Button size="small" icon={<Columns size={16} />}>
                {t('columns')}
              </Button>
            }
            items={columns.map((column) => ({
              key: column.field,
              label: column.title,
              checked: !hidden.includes(column.field),
              onChange: (isShown) =>
                setHidden(isShown ? hidden.filter((field) => field !== column.field) : [...hidden, column.field]),
            }))}
          />
        )}
      </div>
      {body}
      {total > 0 && <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} onPageSize={setPageSize} />}
    </section>
  );
}

function isBlank(narrowedBy: unknown): boolean {
  return Object.values(narrowedBy ?? {}).every((value) => value === '' || value === undefined || value === null);
}

interface GridProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  onSort: (sort: ListParameters['Sort']) => void;
  isChinese: boolean;
}

function Grid<Row>({ label, columns, rows, rowId, onSort, isChinese }: GridProps<Row>) {
  const definitions = useMemo<ColDef<Row>[]>(
    () =>
      columns.map((column) => ({
        colId: column.field,
        headerName: column.title,
        sortable: column.sortable ?? false,
        // The server has sorted: the grid keeps the order it gets.
        comparator: () => 0,
        resizable: true,
        ...(column.flex ? { flex: column.flex, minWidth: column.width ?? 120 } : { width: column.width ?? 140 }),
        ...(column.align === 'right' && { cellStyle: { textAlign: 'right' }, headerClass: 'ag-right-aligned-header' }),
        cellRenderer: ({ data }: { data: Row | undefined }) => (data ? column.cell(data) : null),
      })),
    [columns],
  );
  const onSortChanged = (event: SortChangedEvent<Row>) => {
    const sorted = event.api.getColumnState().filter((column) => column.sort);
    sorted.sort((one, other) => (one.sortIndex ?? 0) - (other.sortIndex ?? 0));
    onSort(sorted.map((column) => ({ Field: column.colId, Direction: column.sort === 'desc' ? 'desc' : 'asc' })));
  };
  return (
    <section className={s.grid} aria-label={label} style={{ height: Math.min(44 * rows.length + 46, 44 * 15 + 46) }}>
      <AgGridReact<Row>
        theme={theme}
        rowData={rows}
        columnDefs={definitions}
        getRowId={({ data }) => rowId(data)}
        localeText={isChinese ? AG_GRID_LOCALE_CN : {}}
        onSortChanged={onSortChanged}
        suppressCellFocus={false}
        suppressMovableColumns
        animateRows={false}
        enableCellTextSelection
      />
    </section>
  );
}

interface PagerProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}

function Pager({ page, pageSize, total, onPage, onPageSize }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  return (
    <div className={s.pager}>
      <SelectField
        label={t('rowsPerPage')}
        hideLabel
        value={pageSize}
        onChange={(event) => {
          onPageSize(Number(event.target.value));
          onPage(1);
        }}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </SelectField>
      <span className={s.range}>{t('range', { From: first, To: Math.min(total, page * pageSize), Total: total })}</span>
      <IconButton label={t('previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <CaretLeft size={16} />
      </IconButton>
      <IconButton label={t('next')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <CaretRight size={16} />
      </IconButton>
    </div>
  );
}

/** Which columns somebody has hidden, remembered on this machine. */
function useHiddenColumns(name: string): [string[], (hidden: string[]) => void] {
  const key = `${COLUMNS_KEY_PREFIX}${name}`;
  const [hidden, setHidden] = useState<string[]>(() => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((field): field is string => typeof field === 'string') : [];
    } catch {
      return [];
    }
  });
  const keep = (next: string[]) => {
    localStorage.setItem(key, JSON.stringify(next));
    setHidden(next);
  };
  return [hidden, keep];
}
