// The call behind the welcome screens: owned products, what expires soon, and the first steps.
import { query } from './calls';
import type { Schemas } from './client';

export type OverviewView = Schemas['Overview'];

export const overviewQuery = (TimeZone: string) => query(['welcome', TimeZone], 'Welcome/GetOverview', { TimeZone });
