// Times as forms take them and as the wire has them: a field has the reader's zone, the wire has UTC.
import { shownTimeZone } from '@/core';

const onWire = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');

/** Now, in UTC: `YYYY-MM-DD HH:mm:ss`. */
export const nowOnWire = (): string => onWire(new Date());

/** What a field for date and time has, in UTC; empty for an empty field, and as it is for what is no time. */
export function fieldOnWire(text: string): string {
  if (!text) return '';
  const time = new Date(shownTimeZone() === 'UTC' ? `${text}Z` : text);
  return Number.isNaN(time.getTime()) ? text : onWire(time);
}

/** A time of an answer, which is in the reader's zone already, for a field for date and time. */
export const shownInField = (time: string | undefined): string => (time ?? '').slice(0, 16).replace(' ', 'T');
