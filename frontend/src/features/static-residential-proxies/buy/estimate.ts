// What so many IPs cost, wherever they are.
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
    // More than one order may have: there is no price to show.
    return undefined;
  }
}
