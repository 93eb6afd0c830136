// The frame of a screen, and the cards on it.
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Breadcrumbs } from './Breadcrumbs';
import s from './ui.module.css';

interface PageProps {
  title: string;
  /** What the screen's head says, where that is not its title. */
  heading?: ReactNode;
  /** Beside the head: a state. */
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** What is open on the screen, in the place of its list; null until its name is known. */
  opened?: string | null | undefined;
  /** Takes the width there is, as a list does. */
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
