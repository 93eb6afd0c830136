// Amounts of traffic as text. A gigabyte is 10^9 bytes here and on every screen.

const UNITS = [
  [1_000_000_000_000, 'TB'],
  [1_000_000_000, 'GB'],
  [1_000_000, 'MB'],
  [1_000, 'KB'],
] as const;

/** In the largest unit of which there is one, with as many decimal places as one compares: 1.25 GB, 12.5 GB, 340 MB. */
export function bytesText(bytes: number, language: string): string {
  // What is rounded up to 1,000 of a unit is one of the next.
  const [size, unit] = UNITS.find(([size]) => bytes >= size * 0.9995) ?? [1, 'B'];
  const amount = bytes / size;
  const maximumFractionDigits = unit === 'B' ? 0 : amount < 10 ? 2 : amount < 100 ? 1 : 0;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits }).format(amount)} ${unit}`;
}
