// After every test: closes its browser contexts, and fails it if a console error or failed request was recorded.
import { afterEach, expect } from 'vitest';
import { endVisits } from './shop';

afterEach(async () => {
  expect(await endVisits()).toEqual([]);
});
