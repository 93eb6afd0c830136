// What usage is split by, and what its charts are called.
import type { ProxyServerKind } from '@/core/constants.gen';

export type Dimension = 'user' | 'node' | 'country' | 'target';

/** Of each kind of traffic, the most telling first. */
export const DIMENSIONS: Record<ProxyServerKind, readonly [Dimension, ...Dimension[]]> = {
  residential: ['user', 'country', 'target'],
  static: ['node', 'country', 'target'],
};

/** The text that names a chart of each step. */
export const TITLES = { hour: 'byHour', day: 'byDay', month: 'byMonth' } as const;
