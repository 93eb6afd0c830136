// What a grid is given, and the room that it takes before its code has come.
import type { ReactNode } from 'react';
import s from './data-grid.module.css';
import { LoadingState } from './Loading';

/** In pixels. Rows are tall where cells have two lines. */
const ROW_HEIGHTS = { plain: 44, tall: 56 };
const COMPACT_ROW_HEIGHTS = { plain: 34, tall: 48 };
/** The head, the bar that moves the columns, and the lines around them. */
const BESIDE_ROWS = 60;
/** So much room a list takes while it waits for its rows. */
export const LOADING_ROWS = 8;

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
  /** Hidden until somebody wants to see it. */
  optional?: boolean;
  cell: (row: Row) => ReactNode;
}

/** How much room rows have. */
export interface Density {
  /** Cells have two lines. */
  isTall: boolean;
  /** Somebody wants to see more rows at once. */
  isCompact: boolean;
}

export const rowHeight = ({ isTall, isCompact }: Density) =>
  (isCompact ? COMPACT_ROW_HEIGHTS : ROW_HEIGHTS)[isTall ? 'tall' : 'plain'];

/** How many rows there is room for where `rows` of the usual height have room. */
export const rowsInSight = (rows: number, density: Density) =>
  Math.floor((rows * rowHeight({ ...density, isCompact: false })) / rowHeight(density));

export const gridHeight = (rows: number, density: Density) => rowHeight(density) * rows + BESIDE_ROWS;

export const LoadingRows = () => (
  <div className={s.loading}>
    <LoadingState rows={LOADING_ROWS} />
  </div>
);

/** In the place of a grid whose code is on its way. */
export const GridPlaceholder = (density: Density) => (
  <div className={s.grid} style={{ height: gridHeight(LOADING_ROWS, density) }}>
    <LoadingRows />
  </div>
);
