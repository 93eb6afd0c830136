// Wrapper around ag-grid, the only module that imports it.
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
import {
  type CSSProperties,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Sort } from '@/api/lists';
import s from './data-grid.module.css';
import {
  COLUMN_WIDTH,
  type Column,
  type Density,
  gridHeight,
  LOADING_ROWS,
  LoadingRows,
  rowHeight,
  rowsInSight,
  SELECTION_WIDTH,
} from './gridFrame';
import { limitedSort } from './listAddress';

// ag-grid modules that are used: client-side rows, cell styles, column state (getColumnState), Chinese locale, row ids (getRowNode),
// and row selection.
ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  LocaleModule,
  RowApiModule,
  RowSelectionModule,
]);

const HEAD_HEIGHT = 42;
/** As high as its rows, plus the horizontal scrollbar if there is one. */
const HEIGHT = { height: 'calc(var(--grid-height) + var(--grid-bar, 0px))' };

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
  // As the toolbar above.
  cellHorizontalPadding: 12,
  wrapperBorder: false,
  columnBorder: false,
});

// Constants, because ag-grid reprocesses options whose identity changes.
const OF_ONE = { mode: 'singleRow', checkboxes: true, enableClickSelection: true } as const;
const OF_MANY = { mode: 'multiRow', checkboxes: true, headerCheckbox: true, enableClickSelection: false } as const;
const IN_ENGLISH = {};
const WITHOUT_OVERLAYS: 'noRows'[] = ['noRows'];
/** Rows rendered above and below the visible ones. */
const ROW_BUFFER = 6;

const CENTERED = { display: 'flex', alignItems: 'center' };
const SELECTION_COLUMN = { pinned: 'left', width: SELECTION_WIDTH, resizable: false, cellStyle: CENTERED } as const;
/** Without the checkbox for all rows, its header would be empty. */
const SELECTION_OF_ONE = { ...SELECTION_COLUMN, headerComponent: SelectionTitle };

function SelectionTitle() {
  const { t } = useTranslation();
  return <span className="visually-hidden">{t('selection')}</span>;
}

// Cell renderers by column, provided through a context so that cells keep their state when the page re-renders.
const Cells = createContext<Record<string, (row: never) => ReactNode>>({});

function Cell({ data, colDef }: CustomCellRendererProps) {
  const cell = useContext(Cells)[colDef?.colId ?? ''];
  return useMemo(() => (data && cell ? cell(data as never) : null), [cell, data]);
}

interface GridProps<Row> extends Density {
  label: string;
  columns: Column<Row>[];
  /** Shows the loading overlay until rows arrive. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  sort: Sort[];
  onSort: (sort: Sort[]) => void;
  selected: Set<string> | undefined;
  isOne: boolean;
  onSelect: (rows: Row[]) => void;
  visibleRows: number;
  isChinese: boolean;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowId, sort, onSort, selected, isOne, onSelect, visibleRows, isChinese } = props;
  const grid = useRef<GridApi<Row>>(null);
  // Column definitions keep their identity until something changes: new ones reset column widths that the user has set.
  const columnsJson = JSON.stringify([columns.map(({ cell: _, ...look }) => look), sort]);
  const definitions = useMemo<ColDef<Row>[]>(() => {
    const [plain, sorted] = JSON.parse(columnsJson) as [Omit<Column<Row>, 'cell'>[], Sort[]];
    return plain.map((column) => {
      const sortIndex = sorted.findIndex((one) => one.Field === column.field);
      return {
        colId: column.field,
        headerName: column.title,
        sortable: column.sortable ?? false,
        sort: sorted[sortIndex]?.Direction ?? null,
        sortIndex: sortIndex < 0 ? null : sortIndex,
        // Sorting is done by the server; the grid keeps the order.
        comparator: () => 0,
        resizable: true,
        pinned: column.pinned ?? null,
        ...(column.flex
          ? { flex: column.flex, minWidth: column.width ?? 120 }
          : { width: column.width ?? COLUMN_WIDTH }),
        cellStyle: { ...CENTERED, ...(column.align === 'right' && { justifyContent: 'flex-end' }) },
        headerClass: column.align === 'right' ? 'ag-right-aligned-header' : '',
        cellRenderer: Cell,
        suppressKeyboardEvent: ({ event }) => staysInCell(event),
      };
    });
  }, [columnsJson]);
  const cells = useMemo(() => Object.fromEntries(columns.map((column) => [column.field, column.cell])), [columns]);
  // Rows known to be selected in the grid: it reports a click asynchronously.
  const ticked = useRef<ReadonlySet<string>>(new Set());
  // Selections that the grid has reported, and that have not come back from the screen yet, oldest first.
  const reported = useRef<ReadonlySet<string>[]>([]);
  const shown = useRef<ReadonlySet<string>>(new Set());
  // Applies the selection to the grid without undoing a click that it has not reported yet, or that is on its way back.
  const showSelected = () => {
    const api = grid.current;
    if (!api || !selected || !rows) return;
    const isTheSame = (known: ReadonlySet<string>) =>
      rows.every((row) => known.has(rowId(row)) === selected.has(rowId(row)));
    const cameBack = reported.current.findLastIndex(isTheSame);
    // What was neither reported nor there before is the screen's own choice.
    if (cameBack >= 0) reported.current = reported.current.slice(cameBack + 1);
    else if (!isTheSame(shown.current)) reported.current = [];
    shown.current = selected;
    if (reported.current.length > 0) return;
    for (const isSelected of [true, false]) {
      const nodes = rows.flatMap((row) => api.getRowNode(rowId(row)) ?? []);
      const wrong = nodes.filter((node) => {
        const id = node.data && rowId(node.data);
        if (id === undefined || selected.has(id) !== isSelected) return false;
        return node.isSelected() !== isSelected && node.isSelected() === ticked.current.has(id);
      });
      if (wrong.length > 0) api.setNodesSelected({ nodes: wrong, newValue: isSelected, source: 'api' });
    }
    ticked.current = new Set(rows.map(rowId).filter((id) => selected.has(id)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: running on other renders would undo a click that the grid has not reported yet
  useEffect(showSelected, [selected, rows]);
  const onSelectionChanged = ({ api, source }: SelectionChangedEvent<Row>) => {
    if (source === 'api' || source === 'rowDataChanged' || source === 'gridInitializing') return;
    const chosen = api.getSelectedNodes().flatMap((node) => (node.data ? [node.data] : []));
    ticked.current = new Set(chosen.map(rowId));
    reported.current.push(ticked.current);
    // The checkbox responds at once; dependent rendering follows in a transition.
    startTransition(() => onSelect(chosen));
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
    <section
      className={s.grid}
      style={{ '--grid-height': `${gridHeight(inSight, props)}px` } as CSSProperties}
      aria-label={label}
      data-compact={props.isCompact || undefined}
    >
      <Cells.Provider value={cells}>
        <AgGridReact<Row>
          containerStyle={HEIGHT}
          theme={theme}
          rowHeight={rowHeight(props)}
          rowData={rows ?? null}
          loading={!rows}
          loadingOverlayComponent={LoadingRows}
          suppressOverlays={WITHOUT_OVERLAYS}
          rowBuffer={ROW_BUFFER}
          columnDefs={definitions}
          getRowId={({ data }) => rowId(data)}
          localeText={isChinese ? AG_GRID_LOCALE_CN : IN_ENGLISH}
          onGridReady={({ api }) => {
            grid.current = api;
          }}
          onRowDataUpdated={showSelected}
          {...(selected && {
            rowSelection: isOne ? OF_ONE : OF_MANY,
            selectionColumnDef: isOne ? SELECTION_OF_ONE : SELECTION_COLUMN,
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

/** Enter focuses the first button of a cell, Escape returns to the cell. */
function entersCell(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  if (event.key === 'Enter' && target === cell) {
    cell.querySelector<HTMLElement>(CONTROLS)?.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' && target !== cell) cell?.focus();
}

/** Inside a cell, keys go to the cell's buttons; Tab moves to the next one until the last. */
function staysInCell(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  if (!cell || target === cell) return false;
  if (event.key !== 'Tab') return event.key !== 'Escape';
  const controls = [...cell.querySelectorAll<HTMLElement>(CONTROLS)];
  return target !== (event.shiftKey ? controls[0] : controls.at(-1));
}
