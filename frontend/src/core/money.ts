// What screens ask about amounts of money.
import { core } from '.';

/** Whether an amount is above zero. */
export const isPositive = (amount: string) => core().isNegative(core().subtractMoney('0.00', amount));

/** The smaller of two amounts. */
export const lesser = (one: string, other: string) =>
  core().isNegative(core().subtractMoney(one, other)) ? one : other;
