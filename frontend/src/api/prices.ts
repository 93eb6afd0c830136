// Calls about what the shop charges, for operators: prices and their planned changes, limits on unpaid orders, and coupons.
import { change, EVERYTHING, query } from './calls';
import type { Schemas } from './client';
import { list } from './lists';

export type PriceForm = Required<Schemas['PriceForm']>;
export type Prices = Schemas['Prices'];
export type PlannedPrice = Schemas['PlannedPrice'];

const PRICES = ['prices'];
const pricesKey = (At: string) => [...PRICES, At];
/** The prices from a time in UTC on, with the changes planned until then; those of today without one. */
export const pricesQuery = (At = '') => query(pricesKey(At), 'Operator/GetPrices', { At });
export const changePrice = change('Operator/ChangePrice', {
  answers: pricesKey(''),
  // The operator's own order forms show prices as well.
  outdates: ({ ValidFrom }, answer) => [answer && !ValidFrom ? EVERYTHING : PRICES],
});
export const cancelPriceChange = change('Operator/CancelPriceChange', {
  answers: pricesKey(''),
  outdates: [PRICES],
});

export type Limits = Schemas['LimitsView'];
export type HoldStep = Schemas['HoldStepView'];
const LIMITS = ['limits'];
export const limitsQuery = query(LIMITS, 'Operator/GetLimits');
export const setLimit = change('Operator/SetLimit', { answers: LIMITS });
export const setHoldStep = change('Operator/SetHoldStep', { answers: LIMITS });

export type CouponView = Schemas['CouponView'];
/** Name of the list of coupons. */
export const COUPONS = 'coupons';
export const loadCoupons = list('Operator/GetCouponList');
export const addCoupon = change('Operator/AddCoupon', { outdates: [[COUPONS]] });
export const endCoupon = change('Operator/EndCoupon', { outdates: [[COUPONS]] });
