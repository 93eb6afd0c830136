// Unit tests of the front end, with the real wasm package.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import wasm from 'vite-plugin-wasm';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), wasm()],
  define: {
    __BUILD_STAMP__: '"20251012163315"',
    __SIGNED_IN_SCRIPTS__: '["/assets/Layout.js"]',
    __SIGNED_IN_FILES__: '["/assets/rules.wasm"]',
  },
  resolve: { alias: { '@': here('src'), '@postern/core': here('../wasm/pkg') } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: false,
    maxWorkers: 2,
    // Loading all modules anew for each file takes four times as long as the tests. See src/test/setup.ts for what is reset.
    isolate: false,
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
