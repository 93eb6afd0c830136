// The box of every calendar: what the library names in English, or not at all, has its name in the reader's language.
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface CalendarBoxProps {
  className?: string;
  /** In the page or in a popover of ours, not over it by itself. */
  inline?: boolean;
  children?: ReactNode;
}

export function CalendarBox({ className, inline, children }: CalendarBoxProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('select')?.setAttribute('aria-label', t('calendar.year'));
  });
  const label = t('calendar.open');
  const role = inline
    ? { role: 'group', 'aria-label': label }
    : { role: 'dialog', 'aria-label': label, 'aria-modal': true };
  return (
    <div ref={box} className={className} {...role}>
      {children}
    </div>
  );
}
