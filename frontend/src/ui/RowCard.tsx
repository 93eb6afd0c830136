// A row of a list on phones: a few lines with text at one end, and a value, a state or buttons at the other.
import type { ReactNode } from 'react';
import s from './row-card.module.css';

interface RowCardProps {
  /** With less space, for rows of four lines. */
  low?: boolean;
  className?: string;
  children: ReactNode;
}

export function RowCard({ low, className, children }: RowCardProps) {
  return (
    <div className={className ? `${s.card} ${className}` : s.card} data-low={low || undefined}>
      {children}
    </div>
  );
}

interface RowLineProps {
  /** In the color of secondary text. */
  soft?: boolean;
  /** What does not fit beside the first part goes below it; otherwise the first part is broken into lines. */
  wrap?: boolean;
  className?: string;
  children: ReactNode;
}

export function RowLine({ soft, wrap, className, children }: RowLineProps) {
  const classes = [s.line, className].filter(Boolean).join(' ');
  return (
    <div className={classes} data-soft={soft || undefined} data-wrap={wrap || undefined}>
      {children}
    </div>
  );
}

/** Icon buttons at the end of a line: the last icon, not its button, ends where the lines below end. */
export const RowActions = ({ children }: { children: ReactNode }) => <span className={s.actions}>{children}</span>;
