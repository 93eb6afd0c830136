// A table in a dialog: long ones are scrolled in a box of their own, by keyboard too.
import type { ReactNode } from 'react';
import s from './static.module.css';

export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its box is scrolled by keyboard
    <section className={s.scroll} tabIndex={0} aria-label={label}>
      <table className={s.rows}>{children}</table>
    </section>
  );
}
