// Whether the customer owes money that a payment provider took back.
import { isPositive } from '@/core/money';
import { useSessionStore, type Wallet } from './user';

/** The wallet of a customer who owes money; undefined if nothing is owed. The stored wallet of an earlier version does not say. */
export function useOwingWallet(): Wallet | undefined {
  const wallet = useSessionStore((state) => state.wallet);
  return wallet?.Owed && isPositive(wallet.Owed) ? wallet : undefined;
}
