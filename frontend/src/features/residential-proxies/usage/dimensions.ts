// Dimensions of usage, and titles of its charts.
import type { ProxyServerKind } from '@/core/constants.gen';

export type Dimension = 'user' | 'node' | 'country' | 'target';

/** Dimensions of each kind of traffic, the default first. */
export const DIMENSIONS: Record<ProxyServerKind, readonly [Dimension, ...Dimension[]]> = {
  residential: ['user', 'country', 'target'],
  static: ['node', 'country', 'target'],
};

/** Text keys of the chart titles, by step. */
export const TITLES = { hour: 'byHour', day: 'byDay', month: 'byMonth' } as const;
