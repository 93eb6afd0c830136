// Container of the calendars: gives the library's unlabelled or English parts translated names.
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface CalendarBoxProps {
  className?: string;
  /** Rendered inline or in our own popover, not by the library. */
  inline?: boolean;
  children?: ReactNode;
}

export function CalendarBox({ className, inline, children }: CalendarBoxProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('select')?.setAttribute('aria-label', t('calendar.year'));
  });
  const label = t('calendar.title');
  const role = inline
    ? { role: 'group', 'aria-label': label }
    : { role: 'dialog', 'aria-label': label, 'aria-modal': true };
  return (
    <div ref={box} className={className} {...role}>
      {children}
    </div>
  );
}
