// Sample rows and responses for the tests of these screens; each test overrides what differs.
import type { Schemas } from '@/api/client';
import { walletOf } from '@/test/wallet';

export const REGULAR = 'shared ISP proxies plan';

export const node = (NodeId: number, change: Partial<Schemas['OwnedNode']> = {}): Schemas['OwnedNode'] => ({
  NodeId,
  Ip: `198.18.0.${NodeId}`,
  HttpPort: 8000,
  Socks5Port: 9000,
  Protocols: ['http', 'socks5'],
  UserName: `user${NodeId}`,
  Password: `secret${NodeId}`,
  Country: 'US',
  City: 'new-york',
  CountryNameEn: 'United States',
  CountryNameZh: '美国',
  CityNameEn: 'New York',
  CityNameZh: '纽约',
  Isp: 'Comcast',
  Asn: 7922,
  VerStr: REGULAR,
  NodeType: 2,
  GroupId: null,
  GroupName: null,
  Note: '',
  State: 'assigned',
  AutoRenew: false,
  AssignedAt: '2026-11-01 00:00:00',
  ExpiresAt: '2026-12-01 00:00:00',
  PeriodDays: 30,
  Targets: [],
  ...change,
});

export const page = <Row>(Rows: Row[], Total = Rows.length) => ({ Data: { Rows, Total, Page: 1, PageSize: 50 } });

export const catalogue = {
  Currency: 'USD',
  Tiers: [
    {
      VerStr: REGULAR,
      NodeType: 2,
      LabelEn: 'Regular',
      LabelZh: '普通',
      DescEn: 'For small businesses',
      DescZh: '适合小型企业',
      Price: '5.00',
      IsSold: true,
    },
  ],
  Periods: [
    { PeriodDays: 30, DiscountBasisPoints: 0 },
    { PeriodDays: 90, DiscountBasisPoints: 500 },
  ],
  QuantitySteps: [{ MinQuantity: 10, DiscountBasisPoints: 250 }],
};

export const DEDICATED = 'dedicated ISP proxies plan';

/** Another tier, for the catalogue. */
export const dedicated = {
  ...catalogue.Tiers[0],
  VerStr: DEDICATED,
  NodeType: 1,
  LabelEn: 'Dedicated',
  LabelZh: '独享',
  Price: '14.00',
};

export const group = (GroupId: number, change: Partial<Schemas['PlanGroup']> = {}): Schemas['PlanGroup'] => ({
  GroupId,
  Name: `Group ${GroupId}`,
  Colour: '#3d7be0',
  Note: '',
  NodeCount: 0,
  ...change,
});

const QUOTA = { Limit: 2, Used: 0, Left: 2, ResetsAt: null };

export const switchResult = (change: Partial<Schemas['SwitchResult']> = {}): Schemas['SwitchResult'] => ({
  DryRun: true,
  Mode: 'quota',
  Items: [
    {
      NodeId: 1,
      OldIp: '198.18.0.1',
      NewIp: '198.18.7.x',
      Country: 'US',
      City: 'new-york',
      Isp: 'Verizon',
      Price: '0.00',
      Code: 1000,
      UsesQuota: true,
    },
  ],
  Total: '0.00',
  Currency: 'USD',
  Quota: QUOTA,
  Balance: '20.00',
  BalanceAfter: '20.00',
  ...change,
});

/** Responses that every one of these screens needs. */
export const COMMON_REPLIES = {
  'Ips/GetServerVer': { Data: catalogue },
  'Ips/GetUserPlanGroupList': { Data: [group(3, { Name: 'Scrapers', NodeCount: 2 })] },
  'Ips/GetUserTargetList': { Data: [] },
  'User/GetWallet': { Data: walletOf('20.00') },
};
