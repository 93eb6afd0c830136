// Times as forms take them and as the wire has them: a field has the reader's zone, the wire has UTC.
import { shownTimeZone } from '@/core';

const FIELD = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/;

const onWire = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');

/** Now, in UTC: `YYYY-MM-DD HH:mm:ss`. */
export const nowOnWire = (): string => onWire(new Date());

/** What a field for date and time has, in UTC; empty for an empty field, and as it is for what is no time. */
export function fieldOnWire(text: string): string {
  const time = readField(text, shownTimeZone() === 'UTC' ? 'Z' : '');
  return time ? onWire(time) : text.trim();
}

/** A field for date and time, read in the browser's zone or in the one that is given; `undefined` for what is no such time. */
export function readField(text: string, zone = ''): Date | undefined {
  const [, day, hour] = FIELD.exec(text.trim()) ?? [];
  if (!day) return undefined;
  const time = new Date(`${day}T${hour}${zone}`);
  // The 31st of a shorter month would be read as a day of the next one.
  const isThatDay = (zone ? time.getUTCDate() : time.getDate()) === Number(day.slice(8));
  return isThatDay ? time : undefined;
}

/** A time of an answer, which is in the reader's zone already, for a field for date and time. */
export const shownInField = (time: string | undefined): string => (time ?? '').slice(0, 16);

/** The time in so many days, for a field for date and time. */
export function fieldInDays(days: number): string {
  const time = new Date(Date.now() + days * 86_400_000);
  const offset = shownTimeZone() === 'UTC' ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - offset * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}
