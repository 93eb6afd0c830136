// Layout of a screen: head, breadcrumbs and cards.
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Breadcrumbs } from './Breadcrumbs';
import s from './ui.module.css';

interface PageProps {
  title: string;
  /** Heading, if it differs from the title. */
  heading?: ReactNode;
  /** Shown beside the heading, for example a state badge. */
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** The open item, shown in the breadcrumbs; null until its name is loaded. */
  opened?: string | null | undefined;
  /** Full width, for example for lists. */
  wide?: boolean;
  children: ReactNode;
}

export function Page({ title, heading, badge, description, actions, opened, wide, children }: PageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={s.page} data-wide={wide || undefined}>
      <div className={s.pageHead}>
        <div>
          <Breadcrumbs opened={opened} />
          <div className={s.pageTitle}>
            <h1>{heading ?? title}</h1>
            {badge}
          </div>
          {description && <p>{description}</p>}
        </div>
        {actions && (
          <div className={s.actions} data-screen-only>
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}

export function Card({ title, aside, children }: { title?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={s.card}>
      {title && (
        <div className={s.cardTitle} data-card-title>
          <h2>{title}</h2>
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
