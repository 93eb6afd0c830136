// A table in a dialog: long ones are scrolled in a box of their own, by keyboard too.
import type { ReactNode } from 'react';
import room from './nodes.module.css';

export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its box is scrolled by keyboard
    <section className={room.scroll} tabIndex={0} aria-label={label}>
      <table className={room.rows}>{children}</table>
    </section>
  );
}
