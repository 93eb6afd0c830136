// Calendar days and months as text: `2026-11-22`, `2026-11`. Labels, not instants: no clock changes.
const DAY_MS = 86_400_000;

/** Today in a time zone. */
export const today = (zone: string, now = Date.now()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);

export const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** First day of the month `count` months earlier. */
export const monthsBefore = (day: string, count: number) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - count, 1)).toISOString().slice(0, 10);

/** First and last day of the month `count` months earlier. */
export const monthBefore = (day: string, count: number): [string, string] => [
  monthsBefore(day, count),
  addDays(monthsBefore(day, count - 1), -1),
];

/** The month of a day in words: "November 2026". */
export const monthName = (day: string, language: string) =>
  new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  );

/** Number of days, both ends included. */
export const daysIn = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;

export const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Ranges that are asked for often, up to today. */
export const PRESETS = ['today', 'yesterday', 'lastWeek', 'lastDays', 'thisMonth', 'lastMonth'] as const;
export type Preset = (typeof PRESETS)[number];

export const WEEK_DAYS = 7;
export const LAST_DAYS = 30;

/** First and last day of a preset. */
export function presetRange(preset: Preset, day: string): [string, string] {
  switch (preset) {
    case 'today':
      return [day, day];
    case 'yesterday':
      return [addDays(day, -1), addDays(day, -1)];
    case 'lastWeek':
      return [addDays(day, 1 - WEEK_DAYS), day];
    case 'lastDays':
      return [addDays(day, 1 - LAST_DAYS), day];
    case 'thisMonth':
      return monthBefore(day, 0);
    case 'lastMonth':
      return monthBefore(day, 1);
  }
}
