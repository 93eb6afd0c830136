// A bar that shows how much of an amount is used.
import c from './controls.module.css';

interface MeterProps {
  used: number;
  of: number;
  label: string;
  className?: string;
}

export function Meter({ used, of, label, className }: MeterProps) {
  return (
    <progress
      className={className ? `${c.meter} ${className}` : c.meter}
      max={Math.max(1, of)}
      value={used}
      aria-label={label}
    />
  );
}
