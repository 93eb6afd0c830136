// After every journey: its visits end, and anything that went wrong unseen in one of them fails it.
import { afterEach, expect } from 'vitest';
import { endVisits } from './shop';

afterEach(async () => {
  expect(await endVisits()).toEqual([]);
});
