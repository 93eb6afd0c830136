// Live quote of a typed amount, computed in the browser by the rules that the server uses.
import { useMemo } from 'react';
import {
  type Coupon,
  core,
  type FieldErrors,
  fieldErrorsOf,
  screenRules,
  type TrafficCatalogue,
  type TrafficQuote,
} from '@/core';
import { useResellerDiscount } from '@/stores/user';

interface Quoted {
  /** Undefined if the input is not a valid amount. */
  gigabytes: number | undefined;
  quote: TrafficQuote | undefined;
  /** Errors of amount and validity. */
  errors: FieldErrors;
  /** Why the coupon does not reduce this order; the quote then excludes it. */
  couponErrors: FieldErrors;
  /** Quote at the next price step, if there is one. */
  larger: TrafficQuote | undefined;
  /** Price difference to the next step; negative if it is cheaper. */
  difference: string | undefined;
}

const NOTHING: Quoted = {
  gigabytes: undefined,
  quote: undefined,
  errors: {},
  couponErrors: {},
  larger: undefined,
  difference: undefined,
};

export function useTrafficQuote(
  typed: string,
  periodDays: number,
  coupon: Coupon | null,
  prices: TrafficCatalogue,
): Quoted {
  const discount = useResellerDiscount();
  return useMemo(() => {
    let gigabytes: number | undefined;
    try {
      gigabytes = screenRules().readGigabytes(typed);
      const plain = { ResellerBasisPoints: discount };
      const price = (amount: number, terms: { ResellerBasisPoints: number; Coupon?: Coupon }) =>
        screenRules().quoteTraffic({ Gigabytes: amount, PeriodDays: periodDays }, prices, terms);
      let terms: { ResellerBasisPoints: number; Coupon?: Coupon } = coupon ? { ...plain, Coupon: coupon } : plain;
      let couponErrors: FieldErrors = {};
      let quote: TrafficQuote;
      try {
        quote = price(gigabytes, terms);
      } catch (error) {
        couponErrors = coupon ? fieldErrorsOf(error) : {};
        if (!couponErrors.Coupon) throw error;
        terms = plain;
        quote = price(gigabytes, terms);
      }
      const larger = quote.Next && price(quote.Next.Gigabytes, terms);
      const difference = larger && core().subtractMoney(larger.Total, quote.Total);
      return { gigabytes, quote, errors: {}, couponErrors, larger, difference };
    } catch (error) {
      return { ...NOTHING, gigabytes, errors: fieldErrorsOf(error) };
    }
  }, [typed, periodDays, coupon, prices, discount]);
}
