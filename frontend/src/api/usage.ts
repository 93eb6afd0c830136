// Calls about usage: how much traffic was used, when, by whom, from where and for what.
import { type CallOptions, download, post } from './client';

export type UsageDimension = 'all' | 'user' | 'country' | 'target' | 'node';
export type UsageStep = 'hour' | 'day';

export interface UsageRequest {
  Kind: 'residential' | 'static';
  Dimension: UsageDimension;
  Step: UsageStep;
  /** First and last day in the reader's zone; sent as times in UTC. */
  StartAndEndTime: [string, string];
  TimeZone: string;
  ProxyUserId?: number;
}

/** An hour or a day. */
export interface UsagePoint {
  StartsAt: string;
  UploadBytes: number;
  DownloadBytes: number;
  Requests: number;
}

/** One user, country or target; the rest of them has no name. */
export interface UsageShare {
  Name: string;
  Label?: string | null;
  Bytes: number;
  Requests: number;
  PreviousBytes: number;
}

export interface UsageView {
  Points: UsagePoint[];
  TotalBytes: number;
  Requests: number;
  /** Of as long a time before. */
  PreviousBytes: number;
  Split?: UsageShare[] | null;
}

const call = post as unknown as <T>(call: string, parameters?: unknown, options?: CallOptions) => Promise<T>;

export const getUsage = (request: UsageRequest, options?: CallOptions) =>
  call<UsageView>('Usage/GetUsage', request, options);

export const exportUsage = (request: UsageRequest, options?: CallOptions) =>
  download('Usage/ExportUsage', request, options);
