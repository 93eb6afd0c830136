// Horizontal bars of counts, each linked to a list.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import s from './welcome.module.css';

export interface BarRow {
  key: string;
  label: ReactNode;
  /** Undefined if there is no filtered list. */
  to?: string;
  count: number;
}

export function Bars({ rows }: { rows: readonly BarRow[] }) {
  const { i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <ul className={s.bars}>
      {rows.map(({ key, label, to, count }) => (
        <li key={key}>
          <span className={s.barName}>{to ? <Link to={to}>{label}</Link> : label}</span>
          <progress max={most} value={count} aria-hidden="true" />
          <strong>{number.format(count)}</strong>
        </li>
      ))}
    </ul>
  );
}
