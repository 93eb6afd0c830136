// A short list of named entries, each with a description and actions.
import type { ReactNode } from 'react';
import s from './entries.module.css';

export function EntryList({ label, busy, children }: { label: string; busy?: boolean; children: ReactNode }) {
  return (
    <ul className={s.entries} aria-label={label} aria-busy={busy}>
      {children}
    </ul>
  );
}

interface EntryProps {
  name: ReactNode;
  note?: ReactNode;
  /** Shown before the buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Entry({ name, note, aside, children }: EntryProps) {
  return (
    <li>
      <div>
        {name}
        {note && <small>{note}</small>}
      </div>
      {aside}
      {children}
    </li>
  );
}
