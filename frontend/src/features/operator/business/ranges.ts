// The ranges of the business: whole days or months, and how many.
import { BusinessRange } from '@/core/constants.gen';

export const RANGES = Object.values(BusinessRange);

export const unitOf = (range: BusinessRange) => (range === BusinessRange.Months12 ? 'months' : 'days');

/** How many days or months it has: its name ends with that. */
export const lengthOf = (range: BusinessRange) => Number(/\d+$/.exec(range)?.[0] ?? 0);

/** The range in the address; the shortest one if there is none. */
export const rangeIn = (text: string): BusinessRange => RANGES.find((range) => range === text) ?? BusinessRange.Days30;
