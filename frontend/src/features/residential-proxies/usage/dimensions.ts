// What usage of residential traffic is split by.

export const DIMENSIONS = ['user', 'country', 'target'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
