// The call behind the welcome screens: owned products, what expires soon, and the first steps.
import { type CallOptions, post, type Schemas } from './client';

export type OverviewView = Schemas['Overview'];

export const getOverview = (TimeZone: string, options?: CallOptions) =>
  post('Welcome/GetOverview', { TimeZone }, options);
