// The frame of a screen, and the cards on it.
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import s from './ui.module.css';

interface PageProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Takes the width there is, as a list does. */
  wide?: boolean;
  children: ReactNode;
}

export function Page({ title, description, actions, wide, children }: PageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={s.page} data-wide={wide || undefined}>
      <div className={s.pageHead}>
        <div>
          <h1>{title}</h1>
          {description && <p>{description}</p>}
        </div>
        {actions && <div className={s.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function Card({ title, aside, children }: { title?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={s.card}>
      {title && (
        <div className={s.cardTitle}>
          <h2 style={{ fontSize: 'inherit' }}>{title}</h2>
          {aside}
        </div>
      )}
      <div className={s.cardBody}>{children}</div>
    </section>
  );
}

export function Stat({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className={s.stat}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </dl>
  );
}
