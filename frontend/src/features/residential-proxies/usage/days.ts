// Calendar months, days and hours as text: `2026-11`, `2026-11-22`, `2026-11-22 13`. Labels, not instants: no clock changes.
import type { UsagePoint, UsageStep } from '@/api/usage';

const DAY_MS = 86_400_000;

/** Today in a time zone. */
export const today = (zone: string, now = Date.now()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);

/** The current hour in a time zone. */
const hourNow = (zone: string, now: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(now).padStart(2, '0');

export const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** First day of the month `count` months earlier. */
export const monthsBefore = (day: string, count: number) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - count, 1)).toISOString().slice(0, 10);

/** Number of days, both ends included. */
export const daysIn = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;

export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

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
