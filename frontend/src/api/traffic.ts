// Calls for residential traffic: purchase, remaining traffic, and automatic reorders.
import { change, EVERYTHING, query } from './calls';
import type { Schemas } from './client';

export type TrafficBatch = Schemas['BatchView'];
export type ReorderView = Schemas['ReorderView'];
export type TrafficView = Schemas['TrafficView'];
export type ReorderForm = Pick<
  ReorderView,
  'IsOn' | 'ThresholdGigabytes' | 'Gigabytes' | 'PeriodDays' | 'MonthlyLimit'
>;

export const TRAFFIC = ['traffic'];
const PRICES = ['traffic-prices'];

export const trafficCatalogueQuery = { ...query(PRICES, 'Traffic/GetTrafficCatalogue'), staleTime: 60_000 };
export const trafficQuery = query(TRAFFIC, 'Traffic/GetTraffic');
export const setReorder = change('Traffic/SetReorder', { answers: TRAFFIC });
export const createTrafficOrder = change('Traffic/CreateTrafficOrder', {
  // A refusal may come from old prices.
  outdates: ({ PayFromWallet }, order) =>
    order && PayFromWallet ? [EVERYTHING] : [TRAFFIC, ...(order ? [] : [PRICES])],
});
