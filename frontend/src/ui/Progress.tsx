// A progress bar.
import type { CSSProperties } from 'react';
import c from './controls.module.css';

interface ProgressProps {
  label: string;
  /** How much is done, from 0 to 1; without it, the bar only shows that something is under way. */
  part?: number | undefined;
}

export function Progress({ label, part }: ProgressProps) {
  return (
    <div role="status" style={{ display: 'grid', gap: 8 }}>
      <span>{label}</span>
      <div
        className={c.progress}
        aria-hidden="true"
        {...(part !== undefined && { 'data-known': true, style: { '--part': Math.min(1, part) } as CSSProperties })}
      />
    </div>
  );
}
