// A grid of the rows at hand. The only place that knows ag-grid.
import { AG_GRID_LOCALE_CN } from '@ag-grid-community/locale';
import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnAutoSizeModule,
  EventApiModule,
  type GridApi,
  type IRowNode,
  LocaleModule,
  ModuleRegistry,
  RowApiModule,
  RowAutoHeightModule,
  RowSelectionModule,
  type SelectionChangedEvent,
  type SortChangedEvent,
  themeQuartz,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createRoot } from 'react-dom/client';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import s from './data-grid.module.css';
import { idle } from './idle';
import { LoadingState } from './Loading';

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  LocaleModule,
  ColumnAutoSizeModule,
  RowAutoHeightModule,
  RowSelectionModule,
  RowApiModule,
  EventApiModule,
]);

const ROW_HEIGHT = 44;
/** With the line below it. */
const HEAD_HEIGHT = 43;

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
  rowHeight: ROW_HEIGHT,
  headerHeight: HEAD_HEIGHT - 1,
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
  /** Stays in sight at this edge, however far the list is moved sideways. */
  pinned?: 'left' | 'right';
  /** Cannot be hidden. */
  always?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface ListParameters {
  Page: number;
  PageSize: number;
  Sort: { Field: string; Direction: 'asc' | 'desc' }[];
}

export const LOADING_ROWS = 8;
/** So many rows are drawn first, and those below them, which seem to load until then, in the next frame. */
const FIRST_ROWS = 4;
/** So many rows are drawn above and below what is in sight, once that is drawn: before somebody can have begun to scroll. */
const ROWS_BEYOND = 8;
const SCROLLED_AFTER_MS = 100;

// What each column shows, and who is told in which row a cell appears. Through a context, so that a cell keeps what it holds when the
// page around it is drawn again.
const Cells = createContext<{ cells: Record<string, (row: never) => ReactNode>; onCell: (row: number) => void }>({
  cells: {},
  onCell: () => {},
});

function Cell({ data, colDef, node }: { data: unknown; colDef?: ColDef; node: IRowNode }) {
  const { cells, onCell } = useContext(Cells);
  const cell = cells[colDef?.colId ?? ''];
  const row = node.rowIndex ?? 0;
  useLayoutEffect(() => onCell(row), [onCell, row]);
  return useMemo(() => (data && cell ? cell(data as never) : null), [cell, data]);
}

interface GridProps<Row> {
  label: string;
  columns: Column<Row>[];
  /** Before they have come, the grid is made and waits for them. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  sort: ListParameters['Sort'];
  onSort: (sort: ListParameters['Sort']) => void;
  picked: Set<string> | undefined;
  isOne: boolean;
  onPick: (rows: Row[]) => void;
  visibleRows: number;
  isChinese: boolean;
  /** Called once, when there is something to see and nothing else is to be done. */
  onDrawn?: () => void;
}

let hasDrawn = false;
const nextFrame = () => new Promise(requestAnimationFrame);

export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowId, sort, onSort, picked, isOne, onPick, visibleRows, isChinese } = props;
  const grid = useRef<GridApi<Row>>(null);
  const looks = JSON.stringify([columns.map(({ cell: _, ...look }) => look), sort]);
  const definitions = useMemo<ColDef<Row>[]>(() => {
    const [plain, sorted] = JSON.parse(looks) as [Omit<Column<Row>, 'cell'>[], ListParameters['Sort']];
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
        ...(column.align === 'right' && { cellStyle: { textAlign: 'right' }, headerClass: 'ag-right-aligned-header' }),
        cellRenderer: Cell,
        suppressKeyboardEvent: ({ event }) => staysInCell(event),
      };
    });
  }, [looks]);
  const cells = useMemo(() => Object.fromEntries(columns.map((column) => [column.field, column.cell])), [columns]);
  const inSight = rows ? Math.min(rows.length, visibleRows) : LOADING_ROWS;
  // What has not appeared yet is covered by lines that seem to load, from one frame to the next.
  const [appeared, setAppeared] = useState<'nothing' | 'first rows' | 'all'>('nothing');
  const lastInSight = inSight - 1;
  const onCell = useCallback(
    (row: number) => {
      if (row === lastInSight) setAppeared('all');
      else if (row === 0) setAppeared((before) => (before === 'nothing' ? 'first rows' : before));
    },
    [lastInSight],
  );
  const shown = useMemo(() => ({ cells, onCell }), [cells, onCell]);
  // The grid shows what is picked; who picks is told below.
  const showPicked = () => {
    const api = grid.current;
    if (!api || !picked || !rows) return;
    for (const isPicked of [true, false]) {
      const nodes = rows.flatMap((row) => api.getRowNode(rowId(row)) ?? []);
      const wrong = nodes.filter(
        (node) => node.data && picked.has(rowId(node.data)) === isPicked && node.isSelected() !== isPicked,
      );
      if (wrong.length > 0) api.setNodesSelected({ nodes: wrong, newValue: isPicked, source: 'api' });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again for another reason, it would undo a click that the grid has not told of yet
  useEffect(showPicked, [picked, rows]);
  const onSelectionChanged = ({ api, source }: SelectionChangedEvent<Row>) => {
    if (source === 'api' || source === 'rowDataChanged' || source === 'gridInitializing') return;
    onPick(api.getSelectedNodes().flatMap((node) => (node.data ? [node.data] : [])));
  };
  const onSortChanged = (event: SortChangedEvent<Row>) => {
    const sorted = event.api.getColumnState().filter((column) => column.sort);
    sorted.sort((one, other) => (one.sortIndex ?? 0) - (other.sortIndex ?? 0));
    onSort(sorted.map((column) => ({ Field: column.colId, Direction: column.sort === 'desc' ? 'desc' : 'asc' })));
  };
  const [drawn, setDrawn] = useState<'first' | 'in sight' | 'beyond'>('first');
  const drawTheRest = async () => {
    hasDrawn = true;
    await nextFrame();
    setDrawn('in sight');
    await idle(SCROLLED_AFTER_MS);
    setDrawn('beyond');
    setAppeared('all');
    props.onDrawn?.();
  };
  const heightOf = (count: number) => ROW_HEIGHT * count + 60;
  return (
    <section className={s.grid} aria-label={label} style={{ height: heightOf(inSight) }}>
      {(!rows || appeared !== 'all') && (
        <div
          className={s.loading}
          data-over
          style={{ top: HEAD_HEIGHT + (appeared === 'nothing' ? 0 : ROW_HEIGHT * FIRST_ROWS) }}
        >
          <LoadingState rows={LOADING_ROWS} />
        </div>
      )}
      <Cells.Provider value={shown}>
        <AgGridReact<Row>
          containerStyle={{ height: heightOf(drawn === 'first' ? Math.min(inSight, FIRST_ROWS) : inSight) }}
          theme={theme}
          rowData={rows ?? null}
          loading={false}
          suppressNoRowsOverlay
          columnDefs={definitions}
          getRowId={({ data }) => rowId(data)}
          localeText={isChinese ? AG_GRID_LOCALE_CN : {}}
          onGridReady={({ api }) => {
            grid.current = api;
          }}
          onRowDataUpdated={showPicked}
          onFirstDataRendered={drawTheRest}
          {...(picked && {
            rowSelection: isOne
              ? { mode: 'singleRow', checkboxes: true, enableClickSelection: true }
              : { mode: 'multiRow', checkboxes: true, headerCheckbox: true, enableClickSelection: false },
            selectionColumnDef: { pinned: 'left', width: 48, resizable: false },
            onSelectionChanged,
          })}
          onSortChanged={onSortChanged}
          onCellKeyDown={({ event }) => entersCell(event as KeyboardEvent)}
          suppressMovableColumns
          animateRows={false}
          rowBuffer={drawn === 'beyond' ? ROWS_BEYOND : 0}
          enableCellTextSelection
          ensureDomOrder
        />
      </Cells.Provider>
    </section>
  );
}

const WARM_COLUMNS = ['a', 'b', 'c'].map(
  (field): Column<string> => ({ field, title: field, sortable: true, cell: (row) => <span>{row}</span> }),
);
const nothing = () => {};

/**
 * Draws a small grid where nobody sees it, and takes it away again: the first grid of a page costs far more than those after it, so
 * it is better drawn before somebody waits for it.
 */
export async function warmUp(): Promise<void> {
  if (hasDrawn || window.matchMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`).matches) return;
  const place = document.createElement('div');
  place.className = s.unseen ?? '';
  place.inert = true;
  document.body.append(place);
  const root = createRoot(place);
  await new Promise<void>((resolve) => {
    root.render(
      <Grid
        label=""
        columns={WARM_COLUMNS}
        rows={['1', '2', '3']}
        rowId={(row) => row}
        sort={[]}
        onSort={nothing}
        picked={new Set()}
        isOne={false}
        onPick={nothing}
        visibleRows={3}
        isChinese={false}
        onDrawn={resolve}
      />,
    );
  });
  root.unmount();
  place.remove();
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
