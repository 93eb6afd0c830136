// Journeys in a real browser against the real server.
import { defineConfig } from 'vitest/config';

// See SLOWER in e2e/shop.ts.
const slower = Number(process.env.SLOWER ?? 1);

export default defineConfig({
  test: {
    include: ['e2e/**/*.spec.ts'],
    globalSetup: ['e2e/demoShop.ts'],
    setupFiles: ['e2e/every-journey.ts'],
    // Each file has a shop and a browser of its own, and waits a third of its time: two processors are busy with three.
    maxWorkers: 3,
    testTimeout: 180_000 * slower,
    hookTimeout: 120_000 * slower,
    expect: { poll: { timeout: 15_000 * slower, interval: 100 } },
  },
});
