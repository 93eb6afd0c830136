// Lists: one page at a time from the server, as a grid, or as cards on a phone.
import { CaretLeft, CaretRight, Columns } from '@phosphor-icons/react';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOBILE_MAX_WIDTH, PAGE_SIZES } from '@/core/constants.gen';
import { Button, IconButton } from './Button';
import s from './data-grid.module.css';
import { SelectField } from './Field';
import { type Column, Grid, type ListParameters, LOADING_ROWS } from './Grid';
import { type GridView, lastView, useGridView, ViewsMenu } from './GridViews';
import { idle } from './idle';
import { LoadingState } from './Loading';
import { CheckMenu } from './Overlay';
import { EmptyState, ErrorState } from './State';
import { useMedia } from './useMedia';

export type { Column, ListParameters } from './Grid';

/** Rows that somebody has picked, on any page; or all that match, and then how many those are. */
export interface Selection<Row> {
  rows: Row[];
  all?: number;
}

export const nothingSelected: Selection<never> = { rows: [] };

export const countOf = <Row,>(selection: Selection<Row>) => selection.all ?? selection.rows.length;

interface SelectionProps<Row> {
  value: Selection<Row>;
  onChange: (value: Selection<Row>) => void;
  /** What a row is called when it is picked. */
  nameOf: (row: Row) => string;
  /** Only one row at a time. */
  one?: boolean;
  /** May everything that matches be picked at once? */
  withAll?: boolean;
  /** What can be done with the picked rows. */
  actions?: ReactNode;
}

type Load<Row> = (list: ListParameters, signal: AbortSignal) => Promise<{ Rows: Row[]; Total: number }>;

const narrowingOf = (narrowedBy: Record<string, unknown> | undefined, of?: string) =>
  JSON.stringify(of ? [of, narrowedBy] : (narrowedBy ?? null));

const listQuery = <Row,>(name: string, list: ListParameters, narrowing: string, load: Load<Row>) =>
  queryOptions({
    queryKey: [name, list.Page, list.PageSize, list.Sort, narrowing],
    queryFn: ({ signal }) => load(list, signal),
  });

/** Asks for what a list is going to show first, while its screen is still being made. */
export function preloadList<Row>(
  client: QueryClient,
  { name, narrowedBy, load }: Pick<DataGridProps<Row>, 'name' | 'narrowedBy' | 'load'>,
): void {
  const { pageSize, sort } = lastView(name);
  client.prefetchQuery(listQuery(name, { Page: 1, PageSize: pageSize, Sort: sort }, narrowingOf(narrowedBy), load));
}

interface DataGridProps<Row> {
  /** Names the list: its query, and what is remembered of its columns. */
  name: string;
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  /** What else the list depends on: filters and search. A change leads back to the first page. */
  narrowedBy?: Record<string, unknown>;
  /** What the list is of, where one list has several: other rows altogether. */
  queryKey?: string;
  /** Takes the filters of a saved view. Without it, views cannot be saved. */
  onNarrow?: (narrowedBy: Record<string, unknown>) => void;
  load: Load<Row>;
  card: (row: Row) => ReactNode;
  toolbar?: ReactNode;
  empty: ReactNode;
  refetchInterval?: number;
  /** There are rows to see, and nothing else is to be done. */
  onShown?: () => void;
  selection?: SelectionProps<Row>;
  /** So many rows are seen without scrolling. */
  visibleRows?: number;
}

const VISIBLE_ROWS = 15;

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { name, label, columns, rowId, narrowedBy, load, card, toolbar, empty, refetchInterval, selection, onShown } =
    props;
  const { t, i18n } = useTranslation();
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const [view, setView] = useGridView(name);
  const { hidden, sort, pageSize } = view;
  const narrowing = narrowingOf(narrowedBy, props.queryKey);
  // A page belongs to what the list was narrowed by when it was turned to.
  const [turned, setTurned] = useState({ page: 1, narrowing });
  const page = turned.narrowing === narrowing ? turned.page : 1;
  const setPage = (next: number) => setTurned({ page: next, narrowing });
  const change = (next: Partial<GridView>) => {
    setView({ ...view, ...next });
    setPage(1);
  };

  const list = useQuery({
    ...listQuery(name, { Page: page, PageSize: pageSize, Sort: sort }, narrowing, load),
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
  const shown = columns.filter((column) => column.always || !hidden.includes(column.field));
  const picked = useMemo(
    () => new Set(selection?.value.all ? rows?.map(rowId) : selection?.value.rows.map(rowId)),
    [selection?.value, rows, rowId],
  );
  /** What is picked of this page is exactly this; what is picked of other pages stays. */
  const pickOfPage = (ofPage: Row[]) => {
    if (!selection || !rows) return;
    const here = new Set(rows.map(rowId));
    const elsewhere =
      selection.one || selection.value.all ? [] : selection.value.rows.filter((row) => !here.has(rowId(row)));
    selection.onChange({ rows: [...elsewhere, ...ofPage] });
  };
  const toggle = (row: Row, isPicked: boolean) => {
    if (selection?.one) selection.onChange({ rows: isPicked ? [row] : [] });
    else pickOfPage((rows ?? []).filter((one) => (rowId(one) === rowId(row) ? isPicked : picked.has(rowId(one)))));
  };

  let body: ReactNode;
  if (list.isError && !rows) body = <ErrorState onRetry={() => list.refetch()} />;
  else if (rows && total === 0)
    body =
      narrowing === 'null' || isBlank(narrowedBy) ? (
        empty
      ) : (
        <EmptyState title={t('noRows')}>{t('noRowsHint')}</EmptyState>
      );
  else if (isMobile) {
    body = rows ? (
      <ul className={s.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={rowId(row)} data-picked={picked.has(rowId(row)) || undefined}>
            {selection && (
              <input
                type="checkbox"
                className={s.pick}
                aria-label={t('pick', { Name: selection.nameOf(row) })}
                checked={picked.has(rowId(row))}
                onChange={(event) => toggle(row, event.target.checked)}
              />
            )}
            <div>{card(row)}</div>
          </li>
        ))}
      </ul>
    ) : (
      <div className={s.loading}>
        <LoadingState rows={LOADING_ROWS} />
      </div>
    );
  } else {
    body = (
      <Grid
        key={i18n.language}
        label={label}
        columns={shown}
        rows={rows}
        rowId={rowId}
        sort={sort}
        onSort={(next) => {
          if (JSON.stringify(next) !== JSON.stringify(sort)) change({ sort: next });
        }}
        picked={selection && picked}
        isOne={selection?.one ?? false}
        onPick={pickOfPage}
        visibleRows={props.visibleRows ?? VISIBLE_ROWS}
        isChinese={i18n.language === 'zh'}
      />
    );
  }
  return (
    <section className={s.frame} aria-busy={list.isFetching}>
      <div className={s.toolbar}>
        <div className={s.filters}>{toolbar}</div>
        {isMobile ? (
          <SortField columns={columns} sort={sort} onSort={(next) => change({ sort: next })} />
        ) : (
          <div className={s.tools}>
            {props.onNarrow && (
              <ViewsMenu
                name={name}
                current={{ ...view, narrowedBy: narrowedBy ?? {} }}
                onApply={({ narrowedBy: filters, ...rest }) => {
                  setView(rest);
                  props.onNarrow?.(filters);
                }}
              />
            )}
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
      {selection && !selection.one && countOf(selection.value) > 0 && (
        <SelectionBar selection={selection} pageRows={rows ?? []} total={total} picked={picked} />
      )}
      {body}
      {total > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          onPage={setPage}
          onPageSize={(size) => change({ pageSize: size })}
        />
      )}
    </section>
  );
}

function isBlank(narrowedBy: unknown): boolean {
  return Object.values(narrowedBy ?? {}).every((value) => value === '' || value === undefined || value === null);
}

interface SelectionBarProps<Row> {
  selection: SelectionProps<Row>;
  pageRows: Row[];
  total: number;
  picked: Set<string>;
}

/** How much is picked, all that match, nothing again, and what can be done with it. */
function SelectionBar<Row>({ selection, pageRows, total, picked }: SelectionBarProps<Row>) {
  const { t } = useTranslation();
  const { value, onChange, withAll, actions } = selection;
  const count = countOf(value);
  const isPagePicked = pageRows.length > 0 && picked.size >= pageRows.length;
  return (
    <div className={s.bar} role="toolbar" aria-label={t('selection')}>
      <div className={s.barCount}>
        <strong role="status">{t('selected', { count })}</strong>
        {withAll && !value.all && isPagePicked && total > count && (
          <Button size="small" variant="ghost" onClick={() => onChange({ rows: [], all: total })}>
            {t('selectAll', { count: total })}
          </Button>
        )}
        <Button size="small" variant="ghost" onClick={() => onChange(nothingSelected)}>
          {t('selectNone')}
        </Button>
      </div>
      <div className={s.barActions}>{actions}</div>
    </div>
  );
}

/** On a phone there are no column heads to sort by. */
function SortField<Row>({
  columns,
  sort,
  onSort,
}: {
  columns: Column<Row>[];
  sort: ListParameters['Sort'];
  onSort: (sort: ListParameters['Sort']) => void;
}) {
  const { t } = useTranslation();
  const sortable = columns.filter((column) => column.sortable);
  if (sortable.length === 0) return null;
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
      {sortable.flatMap((column) =>
        (['asc', 'desc'] as const).map((direction) => (
          <option key={`${column.field} ${direction}`} value={`${column.field} ${direction}`}>
            {column.title} {direction === 'asc' ? '↑' : '↓'}
          </option>
        )),
      )}
    </SelectField>
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
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  return (
    <div className={s.pager}>
      <SelectField
        label={t('rowsPerPage')}
        hideLabel
        value={pageSize}
        onChange={(event) => onPageSize(Number(event.target.value))}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </SelectField>
      <span className={s.range}>
        {t('range', {
          From: number.format(first),
          To: number.format(Math.min(total, page * pageSize)),
          Total: number.format(total),
        })}
      </span>
      <IconButton label={t('previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <CaretLeft size={16} />
      </IconButton>
      <IconButton label={t('next')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <CaretRight size={16} />
      </IconButton>
    </div>
  );
}
