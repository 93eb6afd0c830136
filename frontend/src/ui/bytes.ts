// Formats byte counts. A gigabyte is 10^9 bytes throughout the product.

const UNITS = [
  [1_000_000_000_000, 'TB'],
  [1_000_000_000, 'GB'],
  [1_000_000, 'MB'],
  [1_000, 'KB'],
] as const;

/** In the largest unit that is at least 1, with three significant digits: 1.25 GB, 12.5 GB, 340 MB. */
export function bytesText(bytes: number, language: string): string {
  // A value rounded up to 1,000 moves to the next unit.
  const [size, unit] = UNITS.find(([size]) => bytes >= size * 0.9995) ?? [1, 'B'];
  const amount = bytes / size;
  const maximumFractionDigits = unit === 'B' ? 0 : amount < 10 ? 2 : amount < 100 ? 1 : 0;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits }).format(amount)} ${unit}`;
}
