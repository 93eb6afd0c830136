// The coupon of the order form, kept for the browser session: a reload leaves the form as it was.
import type { Coupon } from '@/core';
import { onSignOut } from '@/stores/user';

const KEY = 'draftTrafficCoupon';

export function readCoupon(): Coupon | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Coupon | null;
  } catch {
    return null;
  }
}

export function storeCoupon(coupon: Coupon | null): void {
  if (coupon) sessionStorage.setItem(KEY, JSON.stringify(coupon));
  else sessionStorage.removeItem(KEY);
}

onSignOut(() => storeCoupon(null));
