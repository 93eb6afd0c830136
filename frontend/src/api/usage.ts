// Calls for usage statistics: traffic by time, user, country and target.
import { type CallOptions, download, post, type Schemas } from './client';

export type UsageView = Schemas['Usage'];
export type UsagePoint = UsageView['Points'][number];
export type UsageShare = NonNullable<UsageView['Split']>[number];
export type UsageStep = Schemas['UsageStep'];
export type UsageRequest = Omit<Schemas['UsageRequest'], 'StartTime' | 'EndTime' | 'Step'> & {
  Step: UsageStep;
  /** First and last day in the user's time zone; sent as UTC times. */
  StartAndEndTime: [string, string];
};
export type UsageDimension = UsageRequest['Dimension'];

export const getUsage = (request: UsageRequest, options?: CallOptions) => post('Usage/GetUsage', request, options);

export const exportUsage = (request: UsageRequest, options?: CallOptions) =>
  download('Usage/ExportUsage', request, options);
