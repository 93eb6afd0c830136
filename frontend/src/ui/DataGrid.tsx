// Server-side paginated lists, as a grid, or as cards on phones.
import { Columns, Rows as RowsIcon } from '@phosphor-icons/react';
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Load, listQuery, type Sort } from '@/api/lists';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { Button, IconButton } from './Button';
import s from './data-grid.module.css';
import { SelectField } from './Field';
import type { Grid as GridOfRows } from './Grid';
import { lastView, type SavedView, useGridView, ViewsMenu } from './GridViews';
import { type Column, type Density, GridPlaceholder, hiddenByDefault, LoadingRows } from './gridFrame';
import { idle } from './idle';
import { PAGE_KEY, readPage, readSort, SORT_KEY, sortText } from './listAddress';
import { NoRows } from './NoRows';
import { CheckMenu } from './Overlay';
import { Pager } from './Pager';
import { countOf, SelectionBar, type SelectionProps } from './SelectionBar';
import { ErrorState } from './State';
import { useMedia } from './useMedia';

export type { Column } from './gridFrame';
export { countOf, nothingSelected, type Selection } from './SelectionBar';

// The grid is loaded on demand: phones only show cards.
const PHONE = `(max-width: ${MOBILE_MAX_WIDTH}px)`;
const loadGrid = () => import('./Grid');
if (!window.matchMedia(PHONE).matches) loadGrid().catch(() => {});
const Grid = lazy(async () => ({ default: (await loadGrid()).Grid })) as unknown as typeof GridOfRows;

const filtersKeyOf = (filters: Record<string, unknown> | undefined, of?: string) =>
  JSON.stringify(of ? [of, filters] : (filters ?? null));

/** Prefetches the page of a list that an address shows, before its screen is rendered. */
export function preloadList<Row>(
  client: QueryClient,
  address: URLSearchParams,
  { name, filters, load }: Pick<DataGridProps<Row>, 'name' | 'filters' | 'load'>,
): void {
  const list = {
    Page: readPage(address.get(PAGE_KEY)),
    PageSize: lastView(name).pageSize,
    Sort: readSort(address.get(SORT_KEY)),
  };
  client.prefetchQuery(listQuery(name, list, filtersKeyOf(filters), load));
}

/** Page and sorting of a list: in the address, or in local state for lists in dialogs. */
function usePlace(isLocal: boolean, filtersKey: string) {
  const [parameters, setParameters] = useSearchParams();
  const [local, setLocal] = useState<{ page: number; sort: Sort[]; of: string }>({ page: 1, sort: [], of: filtersKey });
  if (isLocal) {
    // Back to page 1 when the filters have changed.
    const page = local.of === filtersKey ? local.page : 1;
    return { page, sort: local.sort, go: (page: number, sort: Sort[]) => setLocal({ page, sort, of: filtersKey }) };
  }
  const go = (page: number, sort: Sort[]) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (page > 1) next.set(PAGE_KEY, String(page));
        else next.delete(PAGE_KEY);
        if (sort.length > 0) next.set(SORT_KEY, sortText(sort));
        else next.delete(SORT_KEY);
        return next;
      },
      { replace: true },
    );
  return { page: readPage(parameters.get(PAGE_KEY)), sort: readSort(parameters.get(SORT_KEY)), go };
}

interface DataGridProps<Row> {
  /** Identifies the list in the query cache and in the stored column settings. */
  name: string;
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  /** Filters and search. A change goes back to the first page. */
  filters?: Record<string, unknown>;
  /** Distinguishes lists of different rows under the same name. */
  queryKey?: string;
  /** Applies a saved view's filters and sorting to the address. Without it, views cannot be saved. */
  onFiltersChange?: (filters: Record<string, unknown>, sort: string) => void;
  /** In a dialog: page and sorting are not kept in the address. */
  isInDialog?: boolean;
  load: Load<Row>;
  card: (row: Row) => ReactNode;
  toolbar?: ReactNode;
  empty: ReactNode;
  refetchInterval?: number;
  /** Called when rows are shown and the browser is idle. */
  onShown?: () => void;
  selection?: SelectionProps<Row>;
  /** Rows visible without scrolling. */
  visibleRows?: number;
  /** Cells have two lines. */
  isTall?: boolean;
}

const VISIBLE_ROWS = 15;

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { name, label, columns, rowId, filters, load, card, toolbar, empty, refetchInterval, selection, onShown } =
    props;
  const { t, i18n } = useTranslation();
  const isMobile = useMedia(PHONE);
  const [view, setView] = useGridView(name);
  const { pageSize, isCompact } = view;
  const frame = useRef<HTMLElement>(null);
  const hiddenForRoom = useHiddenForRoom(frame, columns, selection !== undefined);
  const hidden = view.hidden ?? hiddenForRoom;
  const density: Density = { isTall: props.isTall ?? false, isCompact };
  const filtersKey = filtersKeyOf(filters, props.queryKey);
  const place = usePlace(props.isInDialog ?? false, filtersKey);
  const { page } = place;
  const sort = place.sort.filter(({ Field }) => columns.some((one) => one.field === Field && one.sortable));
  const setPage = (next: number, nextSort = sort) => place.go(next, nextSort);

  const list = useQuery({
    ...listQuery(name, { Page: page, PageSize: pageSize, Sort: sort }, filtersKey, load),
    placeholderData: keepPreviousData,
    refetchInterval: refetchInterval ?? false,
  });
  const rows = list.data?.Rows;
  const hasRows = rows !== undefined;
  const latestOnShown = useRef(onShown);
  latestOnShown.current = onShown;
  useEffect(() => {
    if (!hasRows) return;
    idle().then(() => latestOnShown.current?.());
  }, [hasRows]);
  const total = list.data?.Total ?? 0;
  const isAtLeast = list.data?.TotalIsAtLeast ?? false;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  // There are fewer pages than when the address was created.
  const isBeyond = rows !== undefined && rows.length === 0 && total > 0 && page > lastPage && !list.isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page beyond the last
  useEffect(() => {
    if (isBeyond) setPage(lastPage);
  }, [isBeyond, lastPage]);
  const offered = list.data?.SortableFields;
  const canSort = (column: Column<Row>) =>
    Boolean(column.sortable) &&
    (!offered || offered.includes(column.field) || sort.some((one) => one.Field === column.field));
  const shown = columns
    .filter((column) => column.always || !hidden.includes(column.field))
    .map(({ compactWidth, ...column }) => ({
      ...column,
      sortable: canSort(column),
      ...(isCompact && compactWidth && { width: compactWidth }),
    }));
  const selected = useMemo(
    () => new Set(selection?.value.all ? rows?.map(rowId) : selection?.value.rows.map(rowId)),
    [selection?.value, rows, rowId],
  );
  /** Replaces the selected rows of this page; selected rows of other pages stay. */
  const selectOnPage = (ofPage: Row[]) => {
    if (!selection || !rows) return;
    const here = new Set(rows.map(rowId));
    const elsewhere =
      selection.one || selection.value.all ? [] : selection.value.rows.filter((row) => !here.has(rowId(row)));
    selection.onChange({ rows: [...elsewhere, ...ofPage] });
  };
  const toggle = (row: Row, isSelected: boolean) => {
    if (selection?.one) selection.onChange({ rows: isSelected ? [row] : [] });
    else
      selectOnPage((rows ?? []).filter((one) => (rowId(one) === rowId(row) ? isSelected : selected.has(rowId(one)))));
  };

  let body: ReactNode;
  if (list.isError && !rows) body = <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  else if (rows && total === 0)
    body =
      filtersKey === 'null' || isBlank(filters) ? empty : <NoRows filters={props.isInDialog ? undefined : filters} />;
  else if (isMobile) {
    body = rows ? (
      <ul className={s.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={rowId(row)} data-selected={selected.has(rowId(row)) || undefined}>
            {selection && (
              <input
                type="checkbox"
                className={s.pick}
                aria-label={t('selectRow', { Name: selection.nameOf(row) })}
                checked={selected.has(rowId(row))}
                onChange={(event) => toggle(row, event.target.checked)}
              />
            )}
            <div>{card(row)}</div>
          </li>
        ))}
      </ul>
    ) : (
      <LoadingRows />
    );
  } else {
    body = (
      <Suspense fallback={<GridPlaceholder {...density} />}>
        <Grid
          key={i18n.language}
          label={label}
          columns={shown}
          rows={rows}
          rowId={rowId}
          sort={sort}
          onSort={(next) => setPage(1, next)}
          selected={selection && selected}
          isOne={selection?.one ?? false}
          onSelect={selectOnPage}
          visibleRows={props.visibleRows ?? VISIBLE_ROWS}
          {...density}
          isChinese={i18n.language === 'zh'}
        />
      </Suspense>
    );
  }
  const isSelecting = selection !== undefined && !selection.one && countOf(selection.value) > 0;
  const bar = isSelecting && (
    <SelectionBar
      selection={selection}
      pageRows={rows ?? []}
      total={total}
      isAtLeast={isAtLeast}
      selected={selected}
      isMobile={isMobile}
    />
  );
  const toolbarInUse = (
    <div className={s.toolbar} hidden={isMobile && !toolbar && !columns.some(canSort)} inert={isSelecting && !isMobile}>
      <div className={s.filters}>{toolbar}</div>
      {isMobile ? (
        <SortField columns={columns.filter(canSort)} sort={sort} onSort={(next) => setPage(1, next)} />
      ) : (
        <div className={s.tools}>
          {props.onFiltersChange && (
            <ViewsMenu
              name={name}
              current={{ hidden: view.hidden, pageSize, isCompact, sort, filters: filters ?? {} }}
              onApply={({ filters: saved, sort: sorted, ...rest }: SavedView) => {
                setView(rest);
                props.onFiltersChange?.(saved, sortText(sorted));
              }}
            />
          )}
          <IconButton
            size="small"
            variant="secondary"
            label={t('compactRows')}
            aria-pressed={isCompact}
            onClick={() => setView({ ...view, isCompact: !isCompact })}
          >
            <RowsIcon size={16} weight={isCompact ? 'fill' : 'regular'} />
          </IconButton>
          <CheckMenu
            label={t('columns')}
            trigger={
              <Button size="small" icon={<Columns size={16} />}>
                {t('columns')}
              </Button>
            }
            items={columns
              .filter((column) => !column.always)
              .map((column) => ({
                key: column.field,
                label: column.title,
                checked: !hidden.includes(column.field),
                onChange: (isShown) =>
                  setView({
                    ...view,
                    hidden: isShown ? hidden.filter((field) => field !== column.field) : [...hidden, column.field],
                  }),
              }))}
          />
        </div>
      )}
    </div>
  );
  // The bar never moves the rows, which are about to be ticked: it takes the toolbar's place, and the bottom of the screen on phones.
  return (
    <section ref={frame} className={s.frame} aria-busy={list.isFetching}>
      <div className={s.head}>
        {toolbarInUse}
        {!isMobile && bar}
      </div>
      {body}
      {total > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          isAtLeast={isAtLeast}
          rowsHere={rows?.length ?? 0}
          onPage={setPage}
          onPageSize={(size) => {
            setView({ ...view, pageSize: size });
            setPage(1);
          }}
        />
      )}
      {isMobile && bar}
    </section>
  );
}

/** The columns hidden unless the user chooses otherwise: those for which the list has no room now. */
function useHiddenForRoom<Row>(
  frame: RefObject<HTMLElement | null>,
  columns: Column<Row>[],
  isSelectable: boolean,
): string[] {
  const [hidden, setHidden] = useState<string[]>();
  const current = useRef(columns);
  current.current = columns;
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const next = hiddenByDefault(current.current, element.clientWidth, isSelectable);
      setHidden((before) => (before?.join() === next.join() ? before : next));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [frame, isSelectable]);
  return hidden ?? hiddenByDefault(columns, 0, isSelectable);
}

function isBlank(filters: unknown): boolean {
  return Object.values(filters ?? {}).every((value) => value === '' || value === undefined || value === null);
}

/** Sort menu for phones, where there are no column headers. */
function SortField<Row>({
  columns,
  sort,
  onSort,
}: {
  columns: Column<Row>[];
  sort: Sort[];
  onSort: (sort: Sort[]) => void;
}) {
  const { t } = useTranslation();
  if (columns.length === 0) return null;
  const first = sort[0];
  return (
    <SelectField
      label={t('sortBy')}
      hideLabel
      value={first ? `${first.Field} ${first.Direction}` : ''}
      onChange={(event) => {
        const [Field, Direction] = event.target.value.split(' ');
        onSort(Field ? [{ Field, Direction: Direction === 'desc' ? 'desc' : 'asc' }] : []);
      }}
    >
      <option value="">{t('sortBy')}</option>
      {columns.flatMap((column) =>
        (['asc', 'desc'] as const).map((direction) => (
          <option key={`${column.field} ${direction}`} value={`${column.field} ${direction}`}>
            {column.title} {direction === 'asc' ? '↑' : '↓'}
          </option>
        )),
      )}
    </SelectField>
  );
}
