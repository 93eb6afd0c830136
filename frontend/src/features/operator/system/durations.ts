// Lengths of time as text: the pause of a job, and how long a run or a backup took.
const SECOND_MS = 1_000;
const UNITS = [
  ['day', 86_400 * SECOND_MS],
  ['hour', 3_600 * SECOND_MS],
  ['minute', 60 * SECOND_MS],
  ['second', SECOND_MS],
  ['millisecond', 1],
] as const;

/** In the largest unit that is at least 1, with two significant digits if a fraction remains. With a space between digits and Chinese characters. */
function written(ms: number, language: string, unitDisplay: 'long' | 'short'): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['millisecond', 1];
  const amount = ms / size;
  const maximumFractionDigits = amount < 10 && unit !== 'millisecond' ? 1 : 0;
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const;
  return new Intl.NumberFormat(language, options).format(amount).replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}

/** How long something took: 340 ms, 3.2 sec. */
export const tookText = (ms: number, language: string) => written(ms, language, 'short');

/** A pause: 20 seconds, 10 minutes. */
export const pauseText = (seconds: number, language: string) =>
  written(seconds * SECOND_MS, language, language === 'zh' ? 'short' : 'long');
