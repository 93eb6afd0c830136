// Price of a number of IPs, independent of the city.
import type { Schemas } from '@/api/client';
import { core, type Terms } from '@/core';

export function estimate(
  verStr: string,
  periodDays: number,
  quantity: number,
  catalogue: Schemas['Catalogue'],
  terms: Terms,
) {
  try {
    return core().estimate(verStr, periodDays, quantity, catalogue, terms);
  } catch {
    // Above the order limit there is no price.
    return undefined;
  }
}
