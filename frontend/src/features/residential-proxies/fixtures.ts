// Sample responses for the tests of these screens; each test overrides what differs.
import type { ReorderView, TrafficBatch, TrafficView } from '@/api/traffic';
import { screenRules } from '@/core';
import { walletOf } from '@/test/wallet';

const GB = 1_000_000_000;

export const batch = (BatchId: number, change: Partial<TrafficBatch> = {}): TrafficBatch => ({
  BatchId,
  OrderId: BatchId,
  OrderNumber: `PO${BatchId}`,
  BoughtBytes: 50 * GB,
  UsedBytes: 10 * GB,
  LeftBytes: 40 * GB,
  BeginsAt: '2026-11-01 00:00:00',
  EndsAt: '2026-12-01 00:00:00',
  IsOver: false,
  EndsSoon: false,
  ...change,
});

export const traffic = (change: Partial<TrafficView> = {}): TrafficView => ({
  LeftBytes: 40 * GB,
  BoughtBytes: 50 * GB,
  UsedBytes: 10 * GB,
  OverdraftBytes: 0,
  Batches: [batch(1)],
  ...change,
});

export const reorder = (change: Partial<ReorderView> = {}): ReorderView => ({
  IsOn: true,
  ThresholdGigabytes: '5',
  Gigabytes: 50,
  PeriodDays: 30,
  MonthlyLimit: '300.00',
  SpentThisMonth: '150.00',
  ...change,
});

/** Responses that every one of these screens needs. */
export const commonReplies = () => ({
  'Traffic/GetTrafficCatalogue': { Data: screenRules().defaultTrafficCatalogue() },
  'Traffic/GetTraffic': { Data: traffic() },
  'Order/GetUnpaidOrderList': { Data: [] },
  'User/GetWallet': { Data: walletOf('200.00') },
});
