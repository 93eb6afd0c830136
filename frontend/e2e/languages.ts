// The languages in which journeys are played.
import type { Language } from './shop';

export const LANGUAGES: readonly [Language, Language] = ['en', 'zh'];

let turn = process.env.TEST_DATABASE_URL ? 1 : 0;

/**
 * The cases of a journey that differ in the language, and perhaps in the window: both, or with ONE_LANGUAGE=1, as in `make test`, one. A file's
 * journeys then take the cases in turn: the first journey in English, the next in Chinese; on PostgreSQL the first in Chinese.
 */
export function inTurn<First, Second>([first, second]: readonly [First, Second]): (First | Second)[] {
  if (process.env.ONE_LANGUAGE !== '1') return [first, second];
  turn += 1;
  return [turn % 2 === 1 ? first : second];
}
