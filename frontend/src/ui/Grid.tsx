// A grid of the rows at hand. The only place that knows ag-grid.
import { AG_GRID_LOCALE_CN } from '@ag-grid-community/locale';
import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnApiModule,
  type GridApi,
  LocaleModule,
  ModuleRegistry,
  RowApiModule,
  RowSelectionModule,
  type SelectionChangedEvent,
  type SortChangedEvent,
  themeQuartz,
} from 'ag-grid-community';
import { AgGridReact, type CustomCellRendererProps } from 'ag-grid-react';
import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useRef } from 'react';
import s from './data-grid.module.css';
import { type Column, type Density, gridHeight, LOADING_ROWS, LoadingRows, rowHeight, rowsInSight } from './gridFrame';
import { limitedSort, type Sort } from './listAddress';

// What the documentation names for: rows of our own, styles of cells, the sorting that a header has (getColumnState), texts in
// Chinese, rows by their ids (getRowNode), and picking.
ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  LocaleModule,
  RowApiModule,
  RowSelectionModule,
]);

const HEAD_HEIGHT = 42;

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
  headerHeight: HEAD_HEIGHT,
  wrapperBorder: false,
  columnBorder: false,
});

// The same objects for every drawing: the grid takes others for other settings, and does the work of all of them again.
const OF_ONE = { mode: 'singleRow', checkboxes: true, enableClickSelection: true } as const;
const OF_MANY = { mode: 'multiRow', checkboxes: true, headerCheckbox: true, enableClickSelection: false } as const;
const PICKING_COLUMN = { pinned: 'left', width: 48, resizable: false } as const;
const IN_ENGLISH = {};
const WITHOUT_OVERLAYS: 'noRows'[] = ['noRows'];
/** Rows that are ready above and below those in sight. */
const ROWS_BESIDE = 6;

const IN_THE_MIDDLE = { display: 'flex', alignItems: 'center' };

// What each column shows. Through a context, so that a cell keeps what it holds when the page around it is drawn again.
const Cells = createContext<Record<string, (row: never) => ReactNode>>({});

function Cell({ data, colDef }: CustomCellRendererProps) {
  const cell = useContext(Cells)[colDef?.colId ?? ''];
  return useMemo(() => (data && cell ? cell(data as never) : null), [cell, data]);
}

interface GridProps<Row> extends Density {
  label: string;
  columns: Column<Row>[];
  /** Before they have come, the grid says that it waits for them. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  sort: Sort[];
  onSort: (sort: Sort[]) => void;
  picked: Set<string> | undefined;
  isOne: boolean;
  onPick: (rows: Row[]) => void;
  visibleRows: number;
  isChinese: boolean;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowId, sort, onSort, picked, isOne, onPick, visibleRows, isChinese } = props;
  const grid = useRef<GridApi<Row>>(null);
  // Definitions stay the same until something of them changes: new ones take back the widths that somebody has given the columns.
  const looks = JSON.stringify([columns.map(({ cell: _, ...look }) => look), sort]);
  const definitions = useMemo<ColDef<Row>[]>(() => {
    const [plain, sorted] = JSON.parse(looks) as [Omit<Column<Row>, 'cell'>[], Sort[]];
    return plain.map((column) => {
      const sortIndex = sorted.findIndex((one) => one.Field === column.field);
      return {
        colId: column.field,
        headerName: column.title,
        sortable: column.sortable ?? false,
        sort: sorted[sortIndex]?.Direction ?? null,
        sortIndex: sortIndex < 0 ? null : sortIndex,
        // The server has sorted: the grid keeps the order it gets.
        comparator: () => 0,
        resizable: true,
        pinned: column.pinned ?? null,
        ...(column.flex ? { flex: column.flex, minWidth: column.width ?? 120 } : { width: column.width ?? 140 }),
        cellStyle: { ...IN_THE_MIDDLE, ...(column.align === 'right' && { justifyContent: 'flex-end' }) },
        headerClass: column.align === 'right' ? 'ag-right-aligned-header' : '',
        cellRenderer: Cell,
        suppressKeyboardEvent: ({ event }) => staysInCell(event),
      };
    });
  }, [looks]);
  const cells = useMemo(() => Object.fromEntries(columns.map((column) => [column.field, column.cell])), [columns]);
  // Which of its rows are ticked, as far as the grid was told or has told: it tells of a click a moment later.
  const ticked = useRef<ReadonlySet<string>>(new Set());
  // The grid shows what is picked; who picks is told below. A click that it has not told of yet is not undone.
  const showPicked = () => {
    const api = grid.current;
    if (!api || !picked || !rows) return;
    for (const isPicked of [true, false]) {
      const nodes = rows.flatMap((row) => api.getRowNode(rowId(row)) ?? []);
      const wrong = nodes.filter((node) => {
        const id = node.data && rowId(node.data);
        if (id === undefined || picked.has(id) !== isPicked) return false;
        return node.isSelected() !== isPicked && node.isSelected() === ticked.current.has(id);
      });
      if (wrong.length > 0) api.setNodesSelected({ nodes: wrong, newValue: isPicked, source: 'api' });
    }
    ticked.current = new Set(rows.map(rowId).filter((id) => picked.has(id)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again for another reason, it would undo a click that the grid has not told of yet
  useEffect(showPicked, [picked, rows]);
  const onSelectionChanged = ({ api, source }: SelectionChangedEvent<Row>) => {
    if (source === 'api' || source === 'rowDataChanged' || source === 'gridInitializing') return;
    const selected = api.getSelectedNodes().flatMap((node) => (node.data ? [node.data] : []));
    ticked.current = new Set(selected.map(rowId));
    // The ticks are seen at once, and what follows from them a moment later.
    startTransition(() => onPick(selected));
  };
  const onSortChanged = ({ api, source }: SortChangedEvent<Row>) => {
    if (source !== 'uiColumnSorted') return;
    const sorted = api.getColumnState().filter((column) => column.sort);
    sorted.sort((one, other) => (one.sortIndex ?? 0) - (other.sortIndex ?? 0));
    onSort(
      limitedSort(sorted.map(({ colId, sort }) => ({ Field: colId, Direction: sort === 'desc' ? 'desc' : 'asc' }))),
    );
  };
  const inSight = rows ? Math.min(rows.length, rowsInSight(visibleRows, props)) : LOADING_ROWS;
  return (
    <section className={s.grid} aria-label={label}>
      <Cells.Provider value={cells}>
        <AgGridReact<Row>
          containerStyle={{ height: gridHeight(inSight, props) }}
          theme={theme}
          rowHeight={rowHeight(props)}
          rowData={rows ?? null}
          loading={!rows}
          loadingOverlayComponent={LoadingRows}
          suppressOverlays={WITHOUT_OVERLAYS}
          rowBuffer={ROWS_BESIDE}
          columnDefs={definitions}
          getRowId={({ data }) => rowId(data)}
          localeText={isChinese ? AG_GRID_LOCALE_CN : IN_ENGLISH}
          onGridReady={({ api }) => {
            grid.current = api;
          }}
          onRowDataUpdated={showPicked}
          {...(picked && {
            rowSelection: isOne ? OF_ONE : OF_MANY,
            selectionColumnDef: PICKING_COLUMN,
            onSelectionChanged,
          })}
          onSortChanged={onSortChanged}
          onCellKeyDown={({ event }) => entersCell(event as KeyboardEvent)}
          suppressMovableColumns
          animateRows={false}
          enableCellTextSelection
          ensureDomOrder
        />
      </Cells.Provider>
    </section>
  );
}

const CONTROLS = 'button, a[href], input, select';

/** Enter on a cell goes to its first button, Escape back to the cell. */
function entersCell(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  if (event.key === 'Enter' && target === cell) {
    cell.querySelector<HTMLElement>(CONTROLS)?.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' && target !== cell) cell?.focus();
}

/** Inside a cell, keys belong to the cell's own buttons, and Tab goes from one to the next until the last. */
function staysInCell(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  if (!cell || target === cell) return false;
  if (event.key !== 'Tab') return event.key !== 'Escape';
  const controls = [...cell.querySelectorAll<HTMLElement>(CONTROLS)];
  return target !== (event.shiftKey ? controls[0] : controls.at(-1));
}
