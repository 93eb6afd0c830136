// Sections of a settings screen: title and description, with the card beside or below them.
import { type ReactNode, useId } from 'react';
import s from './section.module.css';

export function Sections({ children }: { children: ReactNode }) {
  return (
    <div className={s.room}>
      <div className={s.sections}>{children}</div>
    </div>
  );
}

interface SectionProps {
  title: string;
  lead: ReactNode;
  /** Actions of the card, in its footer. */
  footer?: ReactNode;
  /** Marks an irreversible action. */
  danger?: boolean;
  /** Full width and without a card, for example for lists. */
  wide?: boolean;
  children: ReactNode;
}

export function Section({ title, lead, footer, danger, wide, children }: SectionProps) {
  const id = useId();
  return (
    <section className={s.section} data-wide={wide || undefined} aria-labelledby={id}>
      <div className={s.about}>
        <h2 id={id}>{title}</h2>
        <p>{lead}</p>
      </div>
      {wide ? (
        children
      ) : (
        <div className={s.card} data-danger={danger || undefined}>
          <div className={s.body}>{children}</div>
          {footer && <div className={s.footer}>{footer}</div>}
        </div>
      )}
    </section>
  );
}
