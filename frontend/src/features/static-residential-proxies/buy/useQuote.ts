// Live quote of the draft order, computed in the browser by the rules that the server uses.
import { useMemo } from 'react';
import type { Schemas } from '@/api/client';
import { core, type FieldErrors, fieldErrorsOf, type Quote, type QuoteRequest } from '@/core';
import type { BuyParams } from '@/stores/ips';
import { useResellerDiscount } from '@/stores/user';

/** Quantities by city; for picked IPs, the number picked there. */
function linesOf({
  isExact,
  nodes,
  quantities,
}: Pick<BuyParams, 'isExact' | 'nodes' | 'quantities'>): QuoteRequest['Lines'] {
  if (!isExact) {
    const chosen = Object.entries(quantities).filter(([, { quantity }]) => quantity > 0);
    return chosen.map(([City, { country, quantity }]) => ({ Country: country, City, Quantity: quantity }));
  }
  const lines = new Map<string, QuoteRequest['Lines'][number]>();
  for (const { Country, City } of nodes) {
    lines.set(City, { Country, City, Quantity: (lines.get(City)?.Quantity ?? 0) + 1 });
  }
  return [...lines.values()];
}

interface Quoted {
  request: QuoteRequest;
  quote: Quote | undefined;
  /** Why the coupon does not reduce the order; the quote then excludes it. */
  couponErrors: FieldErrors;
  /** Why there is no quote. */
  errors: FieldErrors;
}

/** The quote of a draft order at this wholesale discount. */
export function quoteOf(params: BuyParams, catalogue: Schemas['Catalogue'], discount: number): Quoted {
  const { verStr, periodDays, target, coupon } = params;
  const request: QuoteRequest = {
    VerStr: verStr,
    PeriodDays: periodDays,
    Lines: linesOf(params),
    ...(target && { Target: target }),
  };
  const terms = { ResellerBasisPoints: discount };
  let couponErrors: FieldErrors = {};
  if (coupon) {
    try {
      const quote = core().quote(request, catalogue, { ...terms, Coupon: coupon });
      return { request, quote, couponErrors, errors: {} };
    } catch (error) {
      couponErrors = fieldErrorsOf(error);
    }
  }
  try {
    return { request, quote: core().quote(request, catalogue, terms), couponErrors, errors: {} };
  } catch (error) {
    // Nothing is selected, more than one order may have, or of a tier that is no longer on sale: no quote.
    return { request, quote: undefined, couponErrors: {}, errors: fieldErrorsOf(error) };
  }
}

export function useQuote(params: BuyParams, catalogue: Schemas['Catalogue']): Quoted {
  const { verStr, periodDays, target, quantities, isExact, nodes, coupon } = params;
  const discount = useResellerDiscount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of anything else in the draft leaves its price
  return useMemo(
    () => quoteOf(params, catalogue, discount),
    [verStr, periodDays, target, quantities, isExact, nodes, coupon, catalogue, discount],
  );
}
