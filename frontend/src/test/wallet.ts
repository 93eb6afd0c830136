// A customer's wallet for unit tests.
import type { Wallet } from '@/stores/user';

export const walletOf = (WalletBalance: string, change: Partial<Wallet> = {}): Wallet => ({
  WalletBalance,
  TotalExpenses: '0.00',
  Currency: 'USD',
  Owed: '0.00',
  AreProxiesPaused: false,
  ...change,
});
