// What screens ask about amounts of money.
import { core } from '.';

/** Whether an amount is above zero. */
export const isPositive = (amount: string) => core().isNegative(core().subtractMoney('0.00', amount));
