// Buttons, and links styled as buttons.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import s from './ui.module.css';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';
type Size = 'small' | 'medium' | 'large';

interface Look {
  variant?: Variant;
  size?: Size;
  wide?: boolean;
  icon?: ReactNode;
}

function looks({ variant = 'secondary', size = 'medium', wide }: Look, extra?: string): string {
  return [s.button, s[variant], size !== 'medium' && s[size], wide && s.wide, extra].filter(Boolean).join(' ');
}

interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and disables the button. */
  loading?: boolean;
}

export function Button({ variant, size, wide, icon, loading, children, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={looks({ variant, size, wide } as Look, className)}
    >
      {loading ? <span className={s.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name. */
  label: string;
  size?: Size;
  variant?: Variant;
}

export function IconButton({ label, size = 'medium', variant = 'ghost', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-screen-only
      {...rest}
      className={looks({ variant, size }, [s.icon, className].filter(Boolean).join(' '))}
    />
  );
}

interface ButtonLinkProps extends Look {
  to: string;
  /** Accessible name, if the visible text is not enough. */
  label?: string;
  /** Opens a tab of its own, which shares nothing with this one. */
  newTab?: boolean;
  children: ReactNode;
  /** Runs before the screen opens. */
  onClick?: () => void;
}

export function ButtonLink({ to, label, newTab, onClick, children, ...look }: ButtonLinkProps) {
  return (
    <Link
      to={to}
      className={looks(look)}
      aria-label={label}
      {...(newTab && { target: '_blank', rel: 'noopener' })}
      {...(onClick && { onClick })}
    >
      {look.icon}
      {children}
    </Link>
  );
}
