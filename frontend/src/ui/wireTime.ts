// Converts times between form fields, in the user's time zone, and the API, in UTC.
import { shownTimeZone } from '@/core';

const FIELD = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/;

const onWire = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');

/** The current UTC time: `YYYY-MM-DD HH:mm:ss`. */
export const nowOnWire = (): string => onWire(new Date());

/** A date and time field as UTC; empty for an empty field, unchanged for invalid input. */
export function fieldOnWire(text: string): string {
  const time = readField(text, shownTimeZone() === 'UTC' ? 'Z' : '');
  return time ? onWire(time) : text.trim();
}

/** Parses a date and time field in the browser's or the given time zone; undefined if invalid. */
export function readField(text: string, zone = ''): Date | undefined {
  const [, day, hour] = FIELD.exec(text.trim()) ?? [];
  if (!day) return undefined;
  const time = new Date(`${day}T${hour}${zone}`);
  // Rejects days that overflow into the next month, such as the 31st of a shorter month.
  const isThatDay = (zone ? time.getUTCDate() : time.getDate()) === Number(day.slice(8));
  return isThatDay ? time : undefined;
}

/** A time from a response, already in the user's time zone, as the value of a date and time field. */
export const shownInField = (time: string | undefined): string => (time ?? '').slice(0, 16);

/** The time `days` days from now, as the value of a date and time field. */
export function fieldInDays(days: number): string {
  const time = new Date(Date.now() + days * 86_400_000);
  const offset = shownTimeZone() === 'UTC' ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - offset * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}
