// What somebody has picked in a list, and the bar that says so.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import s from './data-grid.module.css';

/** Rows that somebody has picked, on any page; or all that match, and then how many those are. */
export interface Selection<Row> {
  rows: Row[];
  all?: number;
}

export const nothingSelected: Selection<never> = { rows: [] };

export const countOf = <Row,>(selection: Selection<Row>) => selection.all ?? selection.rows.length;

export interface SelectionProps<Row> {
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

interface SelectionBarProps<Row> {
  selection: SelectionProps<Row>;
  pageRows: Row[];
  total: number;
  /** There are more than were counted. */
  isAtLeast: boolean;
  picked: Set<string>;
}

/** How much is picked, all that match, nothing again, and what can be done with it. */
export function SelectionBar<Row>({ selection, pageRows, total, isAtLeast, picked }: SelectionBarProps<Row>) {
  const { t, i18n } = useTranslation();
  const { value, onChange, withAll, actions } = selection;
  const count = countOf(value);
  const isPagePicked = pageRows.length > 0 && picked.size >= pageRows.length;
  return (
    <div className={s.bar} role="toolbar" aria-label={t('selection')}>
      <div className={s.barCount}>
        <strong role="status">
          {value.all && isAtLeast
            ? t('selectedAtLeast', { Count: new Intl.NumberFormat(i18n.language).format(count) })
            : t('selected', { count })}
        </strong>
        {withAll && !value.all && isPagePicked && total > count && (
          <Button size="small" variant="ghost" onClick={() => onChange({ rows: [], all: total })}>
            {isAtLeast ? t('selectAllMatching') : t('selectAll', { count: total })}
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
