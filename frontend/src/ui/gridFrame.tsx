// Column and density types of a grid, and the placeholder shown while the grid's code loads.
import type { ReactNode } from 'react';
import s from './data-grid.module.css';
import { LoadingState } from './Loading';

/** Row heights in pixels; tall rows have two lines. */
const ROW_HEIGHTS = { plain: 44, tall: 56 };
/** Compact rows have one line, on which the two lines of a cell stand side by side. */
const COMPACT_ROW_HEIGHT = 34;
/** Height of the header and its border. */
const HEAD_HEIGHT = 43;
/** Number of rows that a loading list takes up. */
export const LOADING_ROWS = 8;

/** Width of a column without its own. */
export const COLUMN_WIDTH = 140;
/** Width of the column with the checkboxes. */
export const SELECTION_WIDTH = 48;

export interface Column<Row> {
  /** Column id and server-side sort field. */
  field: string;
  title: string;
  width?: number;
  /** Width in compact rows, if it differs. */
  compactWidth?: number;
  /** Grows to fill the grid. */
  flex?: number;
  sortable?: boolean;
  align?: 'right';
  /** Pinned to this edge while scrolling horizontally. */
  pinned?: 'left' | 'right';
  /** Cannot be hidden. */
  always?: boolean;
  /** Hidden by default; `room`: only where the grid is too narrow for it. */
  optional?: boolean | 'room';
  cell: (row: Row) => ReactNode;
}

/** The columns hidden by default in a grid of a width. */
export function hiddenByDefault<Row>(columns: Column<Row>[], width: number, isSelectable: boolean): string[] {
  const widthOf = (column: Column<Row>) => column.width ?? COLUMN_WIDTH;
  const always = columns.filter((column) => !column.optional).reduce((sum, column) => sum + widthOf(column), 0);
  let left = width - always - (isSelectable ? SELECTION_WIDTH : 0);
  const hidden: string[] = [];
  for (const column of columns.filter((one) => one.optional)) {
    const fits = column.optional === 'room' && widthOf(column) <= left;
    if (fits) left -= widthOf(column);
    else hidden.push(column.field);
  }
  return hidden;
}

/** Row density. */
export interface Density {
  /** Cells have two lines. */
  isTall: boolean;
  /** Compact rows. */
  isCompact: boolean;
}

export const rowHeight = ({ isTall, isCompact }: Density) =>
  isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHTS[isTall ? 'tall' : 'plain'];

/** Number of rows that fit into the space of `rows` rows of normal height. */
export const rowsInSight = (rows: number, density: Density) =>
  Math.floor((rows * rowHeight({ ...density, isCompact: false })) / rowHeight(density));

export const gridHeight = (rows: number, density: Density) => rowHeight(density) * rows + HEAD_HEIGHT;

export const LoadingRows = () => (
  <div className={s.loading}>
    <LoadingState rows={LOADING_ROWS} />
  </div>
);

/** Placeholder while the grid's code loads. */
export const GridPlaceholder = (density: Density) => (
  <div className={s.grid} style={{ height: gridHeight(LOADING_ROWS, density) }}>
    <LoadingRows />
  </div>
);
