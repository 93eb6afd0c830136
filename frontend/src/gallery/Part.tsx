// Layout of the gallery: sections, and specimens of components labelled with their state.
import { type ReactNode, useId } from 'react';
import g from './gallery.module.css';

interface PartProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Part({ id, title, children }: PartProps) {
  const headingId = useId();
  return (
    <section id={id} className={g.part} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <div className={g.specimens}>{children}</div>
    </section>
  );
}

interface SpecimenProps {
  label: string;
  /** Full width, for example for lists. */
  wide?: boolean;
  children: ReactNode;
}

export function Specimen({ label, wide, children }: SpecimenProps) {
  return (
    <figure className={g.specimen} data-wide={wide || undefined}>
      <figcaption>{label}</figcaption>
      <div className={g.shown}>{children}</div>
    </figure>
  );
}
