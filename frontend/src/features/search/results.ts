// Types of search results, and ranking of names.
import type { ReactNode } from 'react';

export interface Result {
  /** Stable id, independent of the query. */
  id: string;
  icon: ReactNode;
  label: string;
  note?: string | undefined;
  /** Shown at the end of the line. */
  aside?: ReactNode;
  /** Path of a screen. */
  to?: string;
  /** External URL. */
  href?: string;
  /** Action to run. */
  act?: () => void;
  /** A row about the group itself: show all, or an error. */
  isAside?: boolean;
  /** Choosing it keeps the search open. */
  stays?: boolean;
}

export interface Group {
  id: string;
  title: string;
  results: Result[];
  /** The response is pending. */
  isPending?: boolean;
}

/** A result known to the browser, with additional search terms. */
export interface Named extends Result {
  words: string;
}

const fold = (text: string) => text.toLocaleLowerCase();

/** Whether one of the texts contains the query. */
export const hasIn = (typed: string, texts: readonly string[]) =>
  texts.some((text) => fold(text).includes(fold(typed)));

/** Whether a word of the text starts with the part. Chinese has no spaces, so there it may be anywhere. */
function hasWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || /\p{Script=Han}/u.test(part) || !/[a-z\d]/.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/** Ranks a name: every typed word must match the name or its terms; matches at the start rank highest. */
function rankOf(typed: string, { label, note = '', words }: Named): number {
  const name = fold(label);
  const parts = fold(typed).split(/\s+/);
  const all = `${name} ${fold(note)} ${fold(words)}`;
  if (!parts.every((part) => hasWord(all, part))) return 0;
  if (name.startsWith(fold(typed))) return 3;
  return parts.every((part) => hasWord(name, part)) ? 2 : 1;
}

/** Matching results, best first. */
export function matching<N extends Named>(typed: string, named: N[]): N[] {
  const ranked = named.map((one) => ({ one, rank: rankOf(typed, one) })).filter(({ rank }) => rank > 0);
  return ranked.sort((a, b) => b.rank - a.rank).map(({ one }) => one);
}
