// The selection of a list, and the bar with its actions.
import { X } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './Button';
import s from './data-grid.module.css';
import { BOTTOM_BAR } from './useToastEdge';

/** Selected rows on any page; or all matching rows, with their number. */
export interface Selection<Row> {
  rows: Row[];
  all?: number;
  /** More rows match than this number. */
  isAtLeast?: boolean;
}

export const nothingSelected: Selection<never> = { rows: [] };

export const countOf = <Row,>(selection: Selection<Row>) => selection.all ?? selection.rows.length;

export interface SelectionProps<Row> {
  value: Selection<Row>;
  onChange: (value: Selection<Row>) => void;
  /** Accessible name of a row's checkbox. */
  nameOf: (row: Row) => string;
  /** Single selection. */
  one?: boolean;
  /** Whether all matching rows can be selected at once. */
  withAll?: boolean;
  /** Actions on the selected rows. */
  actions?: ReactNode;
}

interface SelectionBarProps<Row> {
  selection: SelectionProps<Row>;
  pageRows: Row[];
  total: number;
  /** The total is a lower bound. */
  isAtLeast: boolean;
  selected: Set<string>;
  /** Cards have no box that selects the whole page. */
  isMobile: boolean;
}

/** Number of selected rows, select all, clear, and the actions. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selection, pageRows, total, isAtLeast, selected, isMobile } = props;
  const { t, i18n } = useTranslation();
  const { value, onChange, withAll, actions } = selection;
  const count = countOf(value);
  const isPageSelected = pageRows.length > 0 && selected.size >= pageRows.length;
  const offersAll = withAll && !value.all && total > count && (isPageSelected || isMobile);
  const clear = () => onChange(nothingSelected);
  return (
    <div className={s.bar} role="toolbar" aria-label={t('selection')} {...BOTTOM_BAR}>
      {isMobile && (
        <IconButton size="small" label={t('selectNone')} onClick={clear}>
          <X size={16} />
        </IconButton>
      )}
      <div className={s.barCount}>
        <strong role="status">
          {value.all && isAtLeast
            ? t('selectedAtLeast', { Count: new Intl.NumberFormat(i18n.language).format(count) })
            : t('selected', { count })}
        </strong>
        {offersAll && (
          <Button size="small" variant="ghost" onClick={() => onChange({ rows: [], all: total, isAtLeast })}>
            {isAtLeast ? t('selectAllMatching') : t('selectAll', { count: total })}
          </Button>
        )}
        {!isMobile && (
          <Button size="small" variant="ghost" onClick={clear}>
            {t('selectNone')}
          </Button>
        )}
      </div>
      <div className={s.barActions}>{actions}</div>
    </div>
  );
}
