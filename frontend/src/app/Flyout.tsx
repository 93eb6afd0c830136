// The screens of an entry of the collapsed sidebar, beside it: on hover, on focus by keyboard, and on a tap.
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import type { SidebarEntry } from '@/core/sidebar.gen';
import s from './app.module.css';

type Entries = SidebarEntry['Children'];

interface FlyoutProps {
  content: ReactNode;
  label: string;
  isActive: boolean;
  /** The path of the first screen, to which the entry itself leads. */
  first: string;
  entries: Entries;
}

/** Time to move the pointer across the gap between the entry and its screens. */
const LEAVE_MS = 200;

export function Flyout({ content, label, isActive, first, entries }: FlyoutProps) {
  const id = useId();
  const entry = useRef<HTMLLIElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [top, setTop] = useState<number>();
  const isOpen = top !== undefined;
  const open = () => {
    clearTimeout(leaving.current);
    setTop(entry.current?.getBoundingClientRect().top ?? 0);
  };
  const close = () => {
    clearTimeout(leaving.current);
    setTop(undefined);
  };
  useEffect(() => () => clearTimeout(leaving.current), []);
  useEffect(() => {
    if (!isOpen) return;
    const pressed = ({ target }: Event) => {
      if (!entry.current?.contains(target as Node)) setTop(undefined);
    };
    const typed = ({ key }: KeyboardEvent) => key === 'Escape' && setTop(undefined);
    document.addEventListener('pointerdown', pressed);
    document.addEventListener('keydown', typed);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      document.removeEventListener('keydown', typed);
    };
  }, [isOpen]);
  return (
    <li
      ref={entry}
      onPointerEnter={({ pointerType }: PointerEvent) => pointerType === 'mouse' && open()}
      onPointerLeave={({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') leaving.current = setTimeout(close, LEAVE_MS);
      }}
      onFocus={({ target }: FocusEvent) => target.matches(':focus-visible') && open()}
      onBlur={({ relatedTarget }: FocusEvent) => !entry.current?.contains(relatedTarget) && close()}
    >
      <Link
        to={first}
        className={s.entry}
        data-active={isActive}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={open}
      >
        {content}
      </Link>
      {isOpen && (
        <div id={id} className={s.flyout} style={{ top }}>
          <p aria-hidden="true">{label}</p>
          <ul aria-label={label}>
            <Screens entries={entries} onOpen={close} />
          </ul>
        </div>
      )}
    </li>
  );
}

/** Links to the screens of an entry. */
export function Screens({ entries, onOpen }: { entries: Entries; onOpen?: () => void }) {
  const { t } = useTranslation('nav');
  return entries.map(({ Key, Path }) => (
    <li key={Path}>
      <NavLink to={Path} className={s.child} {...(onOpen && { onClick: onOpen })}>
        {t(Key as 'welcome')}
      </NavLink>
    </li>
  ));
}
