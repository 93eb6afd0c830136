// What a grid is given, and the room that it takes before its code has come.
import type { ReactNode } from 'react';
import s from './data-grid.module.css';
import { LoadingState } from './Loading';

const ROW_HEIGHT = 44;
const TALL_ROW_HEIGHT = 56;
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
  cell: (row: Row) => ReactNode;
}

/** In pixels. Rows are tall where cells have two lines. */
export const rowHeight = (isTall: boolean) => (isTall ? TALL_ROW_HEIGHT : ROW_HEIGHT);

export const gridHeight = (rows: number, isTall: boolean) => rowHeight(isTall) * rows + BESIDE_ROWS;

export const LoadingRows = () => (
  <div className={s.loading}>
    <LoadingState rows={LOADING_ROWS} />
  </div>
);

/** In the place of a grid whose code is on its way. */
export const GridPlaceholder = ({ isTall }: { isTall: boolean }) => (
  <div className={s.grid} style={{ height: gridHeight(LOADING_ROWS, isTall) }}>
    <LoadingRows />
  </div>
);
