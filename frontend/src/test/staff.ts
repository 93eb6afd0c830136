// Signs one of the seller's staff in, for tests of the operators' screens, which leave out what a role may not do.
import { core } from '@/core';
import { OPERATOR, type StaffRole } from '@/core/constants.gen';
import { useUserStore } from '@/stores/user';
import type { Sent } from './server';

export function signInAs(Role: StaffRole): void {
  useUserStore.setState({
    info: {
      UserId: 1,
      Email: `${Role}@example.com`,
      Level: OPERATOR,
      Role,
      ResellerBasisPoints: 0,
      State: 'active',
      Language: 'en',
      TimeZone: 'UTC',
      IsView: false,
      TextsToAccept: [],
      Token: 't',
    },
  });
}

const OF_OPERATORS = /^Operator\/|^Order\/(GetCallbackList|SettlePayment)$/;

/** The calls among those sent that the role may not make. */
export const forbidden = (sent: readonly Sent[], role: StaffRole): string[] =>
  sent.map(({ call }) => call).filter((call) => OF_OPERATORS.test(call) && !core().mayCall(call, role));
