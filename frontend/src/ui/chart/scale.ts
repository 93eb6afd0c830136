// Scale of a bar chart: equal round steps up to the highest bar.

/** Step sizes, each times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/** Ticks from 0 in equal steps, at most `most` beyond 0. Values and steps are whole numbers. */
export function scaleOf(highest: number, most: number): number[] {
  if (highest <= 0) return [0];
  const least = highest / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = STEPS.map((one) => one * power).find((one) => one >= Math.max(1, least) && Number.isInteger(one));
  const size = step ?? Math.max(1, Math.ceil(least));
  return Array.from({ length: Math.ceil(highest / size) + 1 }, (_, index) => index * size);
}
