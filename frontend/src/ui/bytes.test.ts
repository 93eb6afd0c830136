// Formatting of byte counts.
import { expect, test } from 'vitest';
import { bytesText } from './bytes';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 KB'],
  [1_250_000_000, '1.25 GB'],
  [12_340_000_000, '12.3 GB'],
  [340_400_000, '340 MB'],
  [999_900_000, '1 GB'],
  [2_500_000_000_000_000, '2,500 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes, 'en')).toBe(text);
});
