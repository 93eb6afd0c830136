// An indeterminate progress bar.
import c from './controls.module.css';

export function Progress({ label }: { label: string }) {
  return (
    <div role="status" style={{ display: 'grid', gap: 8 }}>
      <span>{label}</span>
      <div className={c.progress} aria-hidden="true" />
    </div>
  );
}
