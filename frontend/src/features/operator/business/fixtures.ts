// Examples of the business for tests.
import type { BusinessPoint, BusinessView, SetupStepView } from '@/api/business';
import { BusinessRange, SetupStep } from '@/core/constants.gen';

type Figures = BusinessView['Now'];

export const figures = (change: Partial<Figures> = {}): Figures => ({
  Orders: 12,
  Revenue: '640.00',
  Refunded: '20.00',
  NewAccounts: 4,
  TrafficBytes: 12_500_000_000,
  CustomersLeft: 3,
  ChurnBasisPoints: 150,
  ...change,
});

const nothing = figures({
  Orders: 0,
  Revenue: '0.00',
  Refunded: '0.00',
  NewAccounts: 0,
  TrafficBytes: 0,
  CustomersLeft: null,
  ChurnBasisPoints: null,
});

export const point = (
  Day: string,
  change: Partial<Figures> = {},
  more: Partial<BusinessPoint> = {},
): BusinessPoint => ({
  Day,
  IsPartial: false,
  Figures: { ...nothing, ...change },
  Customers: null,
  ...more,
});

export const business = (change: Partial<BusinessView> = {}): BusinessView => ({
  Range: BusinessRange.Days30,
  Currency: 'USD',
  Now: figures(),
  Before: figures({ ChurnBasisPoints: 120 }),
  Changes: {
    OrdersBasisPoints: 0,
    RevenueBasisPoints: 1_250,
    RefundedBasisPoints: 5_000,
    NewAccountsBasisPoints: null,
    TrafficBasisPoints: -3_333,
    CustomersLeftBasisPoints: null,
  },
  Today: figures({ Orders: 2, Revenue: '31.50', NewAccounts: 1, TrafficBytes: 2_000_000_000 }),
  Points: [
    point('2026-11-26'),
    point('2026-11-27', { Orders: 1, Revenue: '10.00', TrafficBytes: 1_000_000, CustomersLeft: 3 }, { Customers: 200 }),
    point('2026-11-28', { Orders: 2, Revenue: '31.50', NewAccounts: 1 }, { IsPartial: true }),
  ],
  Products: [
    { VerStr: 'shared ISP proxies plan', Orders: 8, Revenue: '480.00' },
    { VerStr: 'rotating residential proxies plan', Orders: 3, Revenue: '100.00' },
    { VerStr: null, Orders: 1, Revenue: '60.00' },
    { VerStr: 'a plan of the past', Orders: 0, Revenue: '0.00' },
  ],
  Nodes: 4_200,
  NodesForSale: 1_300,
  Customers: 200,
  ...change,
});

/** All steps; those given are done. */
export const steps = (...done: SetupStep[]): SetupStepView[] =>
  Object.values(SetupStep).map((Step) => ({ Step, IsDone: done.includes(Step) }));

export const ALL_DONE = steps(...Object.values(SetupStep));
