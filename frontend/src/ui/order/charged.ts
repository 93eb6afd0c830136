// What a payment method charges that has another currency than the shop.
import type { Schemas } from '@/api/client';
import { core } from '@/core';

/** What is charged for an amount of the shop's currency, and at which rate; undefined for a method of the shop's currency, and for what is no amount. */
export function chargedFor(
  { ChargedCurrency, Rate }: Schemas['PaymentMethodView'],
  amount: string,
): { Amount: string; Rate: string } | undefined {
  if (!ChargedCurrency || !Rate) return undefined;
  try {
    return { Amount: core().displayMoney(core().chargedAmount(amount, Rate), ChargedCurrency), Rate };
  } catch {
    // Forms accept more ways of writing an amount, and not every product is one.
    return undefined;
  }
}
