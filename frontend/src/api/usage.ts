// Calls for usage statistics: traffic by time, user, country and target.
import { queryOptions } from '@tanstack/react-query';
import { file } from './calls';
import { post, type Schemas } from './client';

export type UsageView = Schemas['Usage'];
export type UsagePoint = UsageView['Points'][number];
export type UsageShare = NonNullable<UsageView['Split']>[number];
export type UsageStep = Schemas['UsageStep'];
export type UsageRequest<Dimension extends UsageDimension = UsageDimension> = Omit<
  Schemas['UsageRequest'],
  'StartTime' | 'EndTime' | 'Step' | 'Dimension'
> & {
  Dimension: Dimension;
  Step: UsageStep;
  /** First and last day in the user's time zone; sent as UTC times. */
  StartAndEndTime: [string, string];
};
type UsageDimension = NonNullable<Schemas['UsageRequest']['Dimension']>;

/** Keeps the dimension with the data, which stay visible while the next ones are loading. */
export const usageQuery = <Dimension extends UsageDimension>(request: UsageRequest<Dimension>) =>
  queryOptions({
    queryKey: ['usage', request],
    queryFn: async ({ signal }) => {
      const usage = await post('Usage/GetUsage', request, { signal, silent: true });
      return { ...usage, by: request.Dimension };
    },
  });

export const exportUsage = file('Usage/ExportUsage');
