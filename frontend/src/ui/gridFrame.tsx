// Column and density types of a grid, and the placeholder shown while the grid's code loads.
import type { ReactNode } from 'react';
import s from './data-grid.module.css';
import { LoadingState } from './Loading';

/** Row heights in pixels; tall rows have two lines. */
const ROW_HEIGHTS = { plain: 44, tall: 56 };
const COMPACT_ROW_HEIGHTS = { plain: 34, tall: 48 };
/** Height of the header and its border. */
const HEAD_HEIGHT = 43;
/** Number of rows that a loading list takes up. */
export const LOADING_ROWS = 8;

export interface Column<Row> {
  /** Column id and server-side sort field. */
  field: string;
  title: string;
  width?: number;
  /** Grows to fill the grid. */
  flex?: number;
  sortable?: boolean;
  align?: 'right';
  /** Pinned to this edge while scrolling horizontally. */
  pinned?: 'left' | 'right';
  /** Cannot be hidden. */
  always?: boolean;
  /** Hidden by default. */
  optional?: boolean;
  cell: (row: Row) => ReactNode;
}

/** Row density. */
export interface Density {
  /** Cells have two lines. */
  isTall: boolean;
  /** Compact rows. */
  isCompact: boolean;
}

export const rowHeight = ({ isTall, isCompact }: Density) =>
  (isCompact ? COMPACT_ROW_HEIGHTS : ROW_HEIGHTS)[isTall ? 'tall' : 'plain'];

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
