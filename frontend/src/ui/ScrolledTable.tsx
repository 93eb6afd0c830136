// A table in a dialog: long ones are scrolled in a box of their own, by keyboard too.
import type { ReactNode } from 'react';
import s from './scrolled.module.css';

export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrolledBox label={label}>
      <table className={s.rows}>{children}</table>
    </ScrolledBox>
  );
}

/** What else may be longer than there is room. */
export function ScrolledBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its box is scrolled by keyboard
    <section className={s.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
