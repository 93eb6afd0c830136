// The words of the wire for how a node is switched and how it is used, checked against the generated types.
import type { Schemas } from '@/api/client';

export const SwitchMode = { Quota: 'quota', UnitPrice: 'unit_price', Specified: 'specified' } as const satisfies Record<
  string,
  Schemas['SwitchMode']
>;
export type SwitchMode = Schemas['SwitchMode'];

export const AccessMode = { Password: 'password', WhiteList: 'whitelist', Both: 'both' } as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];
