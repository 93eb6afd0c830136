// A bar for each day of a proxy server, for pointer, keyboard and screen readers.
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusDay } from '@/api/status';
import s from './status.module.css';
import { levelOf, outageText } from './uptime';

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index - 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index) => index - 7,
  PageUp: (index) => index + 7,
  Home: () => 0,
  End: (_, last) => last,
};

interface DayBarsProps {
  /** Of the server. */
  name: string;
  /** Oldest first. */
  days: readonly StatusDay[];
  /** Shown beside the chosen day. */
  aside: ReactNode;
}

export function DayBars({ name, days, aside }: DayBarsProps) {
  const { t, i18n } = useTranslation(['status', 'common']);
  const [pointed, setPointed] = useState<number>();
  const last = days.length - 1;
  const at = pointed === undefined ? undefined : Math.min(pointed, last);
  // Days are in UTC, whatever the reader's time zone is.
  const date = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone: 'UTC' });

  const happened = (day: StatusDay): string => {
    if (levelOf(day) === 'unknown') return t('level.unknown');
    if (day.DownSeconds === 0) return t('level.good');
    const Time = outageText(day.DownSeconds, i18n.language);
    return Time ? t('downFor', { Time }) : t('downBriefly');
  };
  const texts = days.map((day) =>
    t('common:labelled', { Label: date.format(new Date(`${day.Day}T00:00:00Z`)), Value: happened(day) }),
  );
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    setPointed(Math.max(0, Math.min(last, index)));
  };
  return (
    <div className={s.history}>
      <div
        className={s.bars}
        role="slider"
        tabIndex={0}
        aria-label={t('explore', { Name: name })}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={texts[at ?? last]}
        data-pointed={at !== undefined || undefined}
        onPointerMove={point}
        onPointerDown={point}
        // A day that was tapped stays.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(undefined)}
        onFocus={() => setPointed((now) => now ?? last)}
        onBlur={() => setPointed(undefined)}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (event.key === 'Escape') setPointed(undefined);
          if (!step) return;
          event.preventDefault();
          setPointed(Math.max(0, Math.min(last, step(at ?? last, last))));
        }}
      >
        {days.map((day, index) => (
          <span key={day.Day} data-level={levelOf(day)} data-pointed={index === at || undefined} />
        ))}
      </div>
      <div className={s.below}>
        <span>{at === undefined ? t('lastDays', { count: days.length }) : texts[at]}</span>
        {aside}
      </div>
      <ul className="visually-hidden" aria-label={t('explore', { Name: name })}>
        {days.map((day, index) => (
          <li key={day.Day}>{texts[index]}</li>
        ))}
      </ul>
    </div>
  );
}
