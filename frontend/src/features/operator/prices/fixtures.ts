// Prices, planned changes and limits of a small shop, for the tests of this folder.
import type { UserInfo } from '@/stores/user';
import { priceForm } from './changes';

export const signedInAs = (Role: NonNullable<UserInfo['Role']>): UserInfo => ({
  UserId: 1,
  Email: 'boss@example.com',
  Level: 2,
  Role,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [],
  Token: 't',
});

const tier = (VerStr: string, LabelEn: string, Price: string) => ({
  VerStr,
  NodeType: 2,
  LabelEn,
  LabelZh: LabelEn,
  DescEn: '',
  DescZh: '',
  Price,
  IsSold: true,
});

export const REGULAR = 'shared ISP proxies plan';

export const catalogue = (change: object = {}) => ({
  Currency: 'USD',
  Tiers: [tier(REGULAR, 'Regular', '5.00'), tier('dedicated ISP proxies plan', 'Dedicated', '14.00')],
  Periods: [
    { PeriodDays: 30, DiscountBasisPoints: 0 },
    { PeriodDays: 90, DiscountBasisPoints: 500 },
  ],
  QuantitySteps: [{ MinQuantity: 20, DiscountBasisPoints: 1000 }],
  ...change,
});

export const traffic = (change: object = {}) => ({
  Currency: 'USD',
  Offers: [
    {
      PeriodDays: 30,
      Steps: [
        { MinGigabytes: 1, Price: '3.50' },
        { MinGigabytes: 50, Price: '3.00' },
      ],
    },
    { PeriodDays: 0, Steps: [{ MinGigabytes: 10, Price: '4.00' }] },
  ],
  ...change,
});

export const planned = (PlanId: number, change: object = {}) => ({
  PlanId,
  Form: priceForm('set_tier', { VerStr: REGULAR, Price: '6' }),
  ValidFrom: '2027-01-01 00:00:00',
  Operator: 'boss@example.com',
  IsPossible: true,
  ...change,
});

export const priceList = (Planned: object[] = [], prices: { Catalogue?: object; Traffic?: object } = {}) => ({
  At: '2026-11-27 10:00:00',
  Prices: { Catalogue: catalogue(), Traffic: traffic(), ...prices },
  Planned,
});

export const limits = (change: object = {}) => ({
  Currency: 'USD',
  Limits: [
    { Limit: 'unpaid_orders', Most: 20 },
    { Limit: 'open_top_ups', Most: 5 },
    { Limit: 'open_card_requests', Most: 3 },
    { Limit: 'support_refund', Most: 50 },
    { Limit: 'view_changes', Most: 0 },
  ],
  HoldSteps: [
    { From: '0.00', Ips: 20 },
    { From: '50.00', Ips: 200 },
  ],
  ...change,
});
