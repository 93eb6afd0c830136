// Calls for residential traffic: purchase, remaining traffic, and automatic reorders.
import { type CallOptions, post, type Schemas } from './client';

export type TrafficBatch = Schemas['BatchView'];
export type ReorderView = Schemas['ReorderView'];
export type TrafficView = Schemas['TrafficView'];
export type TrafficOrderRequest = Schemas['CreateTrafficOrder'];
export type ReorderForm = Pick<
  ReorderView,
  'IsOn' | 'ThresholdGigabytes' | 'Gigabytes' | 'PeriodDays' | 'MonthlyLimit'
>;

export const getTrafficCatalogue = (options?: CallOptions) => post('Traffic/GetTrafficCatalogue', undefined, options);

export const createTrafficOrder = (order: TrafficOrderRequest, options: CallOptions) =>
  post('Traffic/CreateTrafficOrder', order, options);

export const getTraffic = (options?: CallOptions) => post('Traffic/GetTraffic', undefined, options);

export const setReorder = (form: ReorderForm, options: CallOptions) => post('Traffic/SetReorder', form, options);
