// The quote of what is chosen, computed in this browser by the rules that the server charges by.
import { useMemo } from 'react';
import type { Schemas } from '@/api/client';
import { core, type Quote, type QuoteRequest } from '@/core';
import type { BuyParams } from '@/stores/ips';

export function useQuote(
  params: BuyParams,
  catalogue: Schemas['Catalogue'],
): { request: QuoteRequest; quote: Quote | undefined } {
  return useMemo(() => {
    const chosen = Object.entries(params.quantities).filter(([, { quantity }]) => quantity > 0);
    const request: QuoteRequest = {
      VerStr: params.verStr,
      PeriodDays: params.periodDays,
      Lines: chosen.map(([City, { country, quantity }]) => ({ Country: country, City, Quantity: quantity })),
      ...(params.target && { Target: params.target }),
    };
    try {
      return { request, quote: core().quote(request, catalogue) };
    } catch {
      // Nothing is chosen yet, or more than one order may have: there is no price to show.
      return { request, quote: undefined };
    }
  }, [params.quantities, params.verStr, params.periodDays, params.target, catalogue]);
}
