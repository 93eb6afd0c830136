// Usage by calendar hours, days and months, named by text: `2026-11-22 13`, `2026-11-22`, `2026-11`.
import type { UsagePoint, UsageStep } from '@/api/usage';
import { addDays, daysIn, today } from '@/ui/days';

/** The current hour in a time zone. */
const hourNow = (zone: string, now: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(now).padStart(2, '0');

export interface Bucket {
  /** `2026-11`, `2026-11-22`, or `2026-11-22 13`. */
  key: string;
  download: number;
  upload: number;
}

/** Length of the text that names the hour, day or month. */
const KEY_LENGTH = { hour: 13, day: 10, month: 7 };

/** Every hour, day or month of a range up to now, with its usage; slots missing in the response had no traffic. */
export function bucketsOf(
  [from, to]: readonly [string, string],
  step: UsageStep,
  points: readonly UsagePoint[],
  zone: string,
  now = Date.now(),
): Bucket[] {
  const length = KEY_LENGTH[step];
  const latest = `${today(zone, now)} ${hourNow(zone, now)}`.slice(0, length);
  const used = new Map<string, Bucket>();
  for (const point of points) {
    // An hour repeated by a clock change is one slot.
    const key = point.StartsAt.slice(0, length);
    const before = used.get(key) ?? { key, download: 0, upload: 0 };
    used.set(key, {
      key,
      download: before.download + point.DownloadBytes,
      upload: before.upload + point.UploadBytes,
    });
  }
  const days = Array.from({ length: Math.max(0, daysIn(from, to)) }, (_, index) => addDays(from, index));
  const keys =
    step === 'hour'
      ? days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => `${day} ${String(hour).padStart(2, '0')}`))
      : [...new Set(days.map((day) => day.slice(0, length)))];
  return keys
    .filter((key) => key <= latest || used.has(key))
    .map((key) => used.get(key) ?? { key, download: 0, upload: 0 });
}
