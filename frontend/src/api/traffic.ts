// Calls about residential traffic: buying it, what is left of it, and automatic reorders.
import type { TrafficCatalogue, TrafficRequest } from '@/core';
import { type CallOptions, post, type Schemas } from './client';

/** Traffic bought in one order. */
export interface TrafficBatch {
  BatchId: number;
  OrderId: number;
  OrderNumber: string;
  BoughtBytes: number;
  UsedBytes: number;
  LeftBytes: number;
  BeginsAt: string;
  /** Absent without expiry. */
  EndsAt?: string | null;
  IsOver: boolean;
  EndsSoon: boolean;
}

/** The automatic reorder, as the customer set it, and how the latest went. */
export interface ReorderView {
  IsOn: boolean;
  ThresholdGigabytes: string;
  Gigabytes: number;
  PeriodDays: number;
  MonthlyLimit: string;
  SpentThisMonth: string;
  Failure?: 'balance_too_low' | 'offer_gone' | null;
  FailedAt?: string | null;
}

export interface TrafficView {
  LeftBytes: number;
  /** Of the batches that are not over. */
  BoughtBytes: number;
  UsedBytes: number;
  OverdraftBytes: number;
  /** The newest 50: running ones first, in the order in which they are used. */
  Batches: TrafficBatch[];
  Reorder?: ReorderView | null;
}

export interface TrafficOrderRequest extends TrafficRequest {
  Coupon?: string;
  ExpectedTotal: string;
  PayFromWallet?: boolean;
}

export type ReorderForm = Pick<
  ReorderView,
  'IsOn' | 'ThresholdGigabytes' | 'Gigabytes' | 'PeriodDays' | 'MonthlyLimit'
>;

const call = post as unknown as <T>(call: string, parameters?: unknown, options?: CallOptions) => Promise<T>;

export const getTrafficCatalogue = (options?: CallOptions) =>
  call<TrafficCatalogue>('Traffic/GetTrafficCatalogue', undefined, options);

export const createTrafficOrder = (order: TrafficOrderRequest, options: CallOptions) =>
  call<Schemas['OrderView']>('Traffic/CreateTrafficOrder', order, options);

export const getTraffic = (options?: CallOptions) => call<TrafficView>('Traffic/GetTraffic', undefined, options);

export const setReorder = (form: ReorderForm, options: CallOptions) =>
  call<TrafficView>('Traffic/SetReorder', form, options);
