// The parts of a settings screen: what each is about, and beside it, or below where there is less room, its card.
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
  /** What is done with the card as a whole, at its end. */
  footer?: ReactNode;
  /** What is done here cannot be undone. */
  danger?: boolean;
  /** Needs the whole width, as a list does, and brings a frame of its own. */
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
