// A table in a dialog, scrollable in its own box, also by keyboard.
import type { ReactNode } from 'react';
import s from './scrolled.module.css';

interface ScrolledTableProps {
  label: string;
  /** On phones a row of five cells takes two lines: two cells, then three. */
  stacks?: boolean;
  children: ReactNode;
}

export function ScrolledTable({ label, stacks, children }: ScrolledTableProps) {
  return (
    <ScrolledBox label={label}>
      <table className={s.rows} data-stacks={stacks || undefined}>
        {children}
      </table>
    </ScrolledBox>
  );
}

/** Other content that may need scrolling. */
export function ScrolledBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing content must be scrollable by keyboard
    <section className={s.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
