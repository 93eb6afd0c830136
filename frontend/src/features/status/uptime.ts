// How well a proxy server worked on a day and over all its days.
import type { StatusDay } from '@/api/status';
import { lengthsOfTime } from '@/ui/texts';

/** From this share of a day on, an outage is long. */
const LONG_SHARE = 0.05;
/** Percentages have two decimals. */
const STEPS = 10_000;

export type DayLevel = 'good' | 'short' | 'long' | 'unknown';

export function levelOf({ KnownSeconds, DownSeconds }: StatusDay): DayLevel {
  if (KnownSeconds === 0) return 'unknown';
  if (DownSeconds === 0) return 'good';
  return DownSeconds < KnownSeconds * LONG_SHARE ? 'short' : 'long';
}

/** The part of the known time in which it worked, rounded down: 1 only without any outage. Undefined without data. */
export function uptimeOf(days: readonly StatusDay[]): number | undefined {
  const known = days.reduce((sum, day) => sum + day.KnownSeconds, 0);
  const down = days.reduce((sum, day) => sum + day.DownSeconds, 0);
  return known === 0 ? undefined : Math.floor(((known - down) * STEPS) / known) / STEPS;
}

/** An outage in hours and minutes; undefined below one minute. */
export function outageText(seconds: number, language: string): string | undefined {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return undefined;
  return lengthsOfTime(
    [minutes - (minutes % 60), minutes % 60].filter((part) => part > 0),
    language,
  );
}
