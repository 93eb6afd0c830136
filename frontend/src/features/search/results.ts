// What a search finds: results in groups, and how well a name matches what was typed.
import type { ReactNode } from 'react';

export interface Result {
  /** The same for the same thing, whatever was typed. */
  id: string;
  icon: ReactNode;
  label: string;
  note?: string | undefined;
  /** At the end of its line. */
  aside?: ReactNode;
  /** The screen that it leads to. */
  to?: string;
  /** What it opens beside the shop. */
  href?: string;
  /** What it does. */
  act?: () => void;
  /** It is about the group, not in it: all of its rows, or that they could not be searched. */
  isAside?: boolean;
  /** Those who have chosen it go on searching. */
  stays?: boolean;
}

export interface Group {
  id: string;
  title: string;
  results: Result[];
  /** Its answer is on the way. */
  isPending?: boolean;
}

/** Something that is known here, with further words by which it is found. */
export interface Named extends Result {
  words: string;
}

const fold = (text: string) => text.toLocaleLowerCase();

/** Whether one of these texts has in it what was typed. */
export const hasIn = (typed: string, texts: readonly string[]) =>
  texts.some((text) => fold(text).includes(fold(typed)));

/** Whether a word of the text begins so. Chinese has no spaces: there it may be anywhere. */
function hasWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || /\p{Script=Han}/u.test(part) || !/[a-z\d]/.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/** How well a name matches: every word typed must be in it or in what is beside it; the beginning counts most. */
function rankOf(typed: string, { label, note = '', words }: Named): number {
  const name = fold(label);
  const parts = fold(typed).split(/\s+/);
  const all = `${name} ${fold(note)} ${fold(words)}`;
  if (!parts.every((part) => hasWord(all, part))) return 0;
  if (name.startsWith(fold(typed))) return 3;
  return parts.every((part) => hasWord(name, part)) ? 2 : 1;
}

/** Those that match, the best first. */
export function matching<N extends Named>(typed: string, named: N[]): N[] {
  const ranked = named.map((one) => ({ one, rank: rankOf(typed, one) })).filter(({ rank }) => rank > 0);
  return ranked.sort((a, b) => b.rank - a.rank).map(({ one }) => one);
}
