// Facts in a line, separated by dots, none of which ends or begins a line.
import type { ReactNode } from 'react';
import s from './order.module.css';

export function Parts({ parts }: { parts: ReactNode[] }) {
  return (
    <span className={s.parts}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity and keep their order
        <span key={index} className={s.part}>
          <span className={s.dot}>{index > 0 && ' · '}</span>
          {part}
        </span>
      ))}
    </span>
  );
}
