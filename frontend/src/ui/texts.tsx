// Formats money, times and places. Screens use nothing else.
import i18next from 'i18next';
import { type SyntheticEvent, useCallback, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type Currency, core } from '@/core';
import { ENDS_SOON_DAYS } from '@/core/constants.gen';
import s from './ui.module.css';

/** An amount with its currency; with a sign if requested. */
export function MoneyText({ amount, currency, signed }: { amount: string; currency: Currency; signed?: boolean }) {
  const shown = core().displayMoney(amount, currency);
  return <span className={s.money}>{signed && !core().isNegative(amount) ? `+${shown}` : shown}</span>;
}

/** A list price, struck through beside the discounted price for resellers. */
export function PriceText({
  listPrice,
  currency,
  basisPoints,
}: {
  listPrice: string;
  currency: Currency;
  /** Discount in hundredths of a percent. */
  basisPoints: number;
}) {
  const { t } = useTranslation();
  if (basisPoints === 0) return <MoneyText amount={listPrice} currency={currency} />;
  return (
    <>
      <MoneyText amount={core().resellerPrice(listPrice, basisPoints)} currency={currency} />{' '}
      <s className={s.listPrice}>
        <span className="visually-hidden">{t('listPrice')} </span>
        <MoneyText amount={listPrice} currency={currency} />
      </s>
    </>
  );
}

/** A time, already converted to the user's time zone by the API client. */
export function DateText({ value }: { value: string | null | undefined }) {
  if (!value) return <span>–</span>;
  return (
    <time dateTime={value.replace(' ', 'T')} className={s.money} style={{ whiteSpace: 'nowrap' }}>
      {value}
    </time>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** With a space between digits and Chinese characters, as in all our texts. */
const spaced = (text: string) => text.replace(/(\d)(?=\p{Script=Han})|(\p{Script=Han})(?=\d)/gu, '$& ');

/** Several durations as text: 3 days, 1 day, and 2 hours. */
export function lengthsOfTime(minutes: readonly number[], language: string): string {
  const texts = minutes.map((length) => {
    const [unit, ms] = UNITS.find(([, ms]) => length * 60_000 >= ms) ?? UNITS[2];
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format((length * 60_000) / ms);
  });
  return spaced(new Intl.ListFormat(language).format(texts));
}

/** Whole days and hours of a duration. */
export const daysAndHours = (seconds: number) => ({
  Days: Math.floor((seconds * 1_000) / DAY_MS),
  Hours: Math.floor(((seconds * 1_000) % DAY_MS) / HOUR_MS),
});

/** The days of the calendar from one time to another, in the reader's time zone; a day of 23 or 25 hours is one day. */
function calendarDays(from: Date, to: Date): number {
  const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return Math.round((dayOf(to) - dayOf(from)) / DAY_MS);
}

/**
 * The time from now as people count it: rounded minutes and hours within a day, and days of the calendar beyond, so that 29 days and 23
 * hours are "in 30 days". At least one minute.
 */
export function relativeTime(at: Date, now: Date, language: string): string {
  const ms = at.getTime() - now.getTime();
  const [minutes, hours] = [Math.round(Math.abs(ms) / MINUTE_MS), Math.round(Math.abs(ms) / HOUR_MS)];
  const [count, unit] =
    minutes < 60
      ? ([Math.max(1, minutes), 'minute'] as const)
      : hours < 24
        ? ([hours, 'hour'] as const)
        : ([Math.max(1, Math.abs(calendarDays(now, at))), 'day'] as const);
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(ms < 0 ? -count : count, unit);
  return spaced(text);
}

/** A time of an answer, which the API client has converted to the reader's time zone. */
export const localTime = (value: string) => new Date(value.replace(' ', 'T'));

/** How long before or after now a time of an answer is. */
export const untilText = (value: string, language: string) => relativeTime(localTime(value), new Date(), language);

/** The day of a time of an answer. */
export const dayOf = (value: string) => value.slice(0, 'YYYY-MM-DD'.length);

/** Remaining time until an expiry, amber when it is near; the exact time is shown on hover, tap and focus. */
export function UntilText({ value }: { value: string | null | undefined }) {
  const { i18n } = useTranslation();
  const id = useId();
  const [place, setPlace] = useState<{ left: number; top: number }>();
  if (!value) return <span>–</span>;
  const left = localTime(value).getTime() - Date.now();
  const show = (event: SyntheticEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPlace({ left: box.left, top: box.bottom + 4 });
  };
  const hide = () => setPlace(undefined);
  return (
    <button
      type="button"
      className={s.until}
      data-tone={left <= 0 ? 'bad' : left <= ENDS_SOON_DAYS * DAY_MS ? 'warn' : undefined}
      aria-describedby={place && id}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={show}
    >
      <time dateTime={value.replace(' ', 'T')}>{untilText(value, i18n.language)}</time>
      {place &&
        createPortal(
          <span id={id} role="tooltip" className={s.tooltip} style={place}>
            {value}
          </span>,
          document.body,
        )}
    </button>
  );
}

/** Less than this ago is "just now". */
const JUST_NOW_MS = MINUTE_MS;

interface AgoTextProps {
  value: string;
  justNow: string;
  /** A phrase around the time; without it, the time alone. */
  phrase?: (ago: string) => string;
}

/** How long ago a time of the past was, which is its title. */
export function AgoText({ value, justNow, phrase = (ago) => ago }: AgoTextProps) {
  const { i18n } = useTranslation();
  const left = localTime(value).getTime() - Date.now();
  return (
    <time dateTime={value.replace(' ', 'T')} title={value}>
      {left > -JUST_NOW_MS ? justNow : phrase(untilText(value, i18n.language))}
    </time>
  );
}

/** Minutes and seconds, with hours if there are any. */
export function TimeLeft({ seconds }: { seconds: number }) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (count: number) => String(count).padStart(2, '0');
  const shown = hours > 0 ? `${hours}:${two(minutes % 60)}` : String(minutes);
  return <span className={s.money}>{`${shown}:${two(seconds % 60)}`}</span>;
}

/** A standalone number in the user's language; numbers within texts are formatted by i18next. */
export function useNumber() {
  const { language } = useTranslation().i18n;
  return useCallback((number: number) => new Intl.NumberFormat(language).format(number), [language]);
}

/** City and country in the order of the user's language. */
export const placeText = (city: string, country: string) => i18next.t('place', { City: city, Country: country });

/** The name in the user's language. */
export function useName() {
  const isChinese = useTranslation().i18n.language === 'zh';
  return useCallback((names: { en: string; zh: string }) => (isChinese ? names.zh : names.en), [isChinese]);
}
