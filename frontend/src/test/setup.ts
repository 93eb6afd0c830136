// Runs before every unit test: loads the real rules and texts, and polyfills what jsdom lacks.
import '@testing-library/jest-dom/vitest';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { bindConfirmation } from '@/api/client';
import { connectionWorks } from '@/api/connection';
import { loadCore, loadScreenRules } from '@/core';
import { interpolation, numbers } from '@/i18n/numbers';
import { resetStores } from './zustand';

// Allows for slow machines.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no canvas, so the plot is mocked.
vi.mock('@/ui/chart/Plot', () => ({ Plot: () => null }));
// Test files share the screens' modules, so they share these as well; a file cannot mock others.
vi.mock('@/ui/toast', async (original) => ({ ...(await original<object>()), ...(await import('./mocks')) }));
vi.mock('@/ui/saveFile', () => import('./mocks'));
vi.mock('zustand', () => import('./zustand'));

const NAMESPACES = [
  'account',
  'accounts',
  'announcements',
  'audit',
  'auth',
  'billing',
  'business',
  'common',
  'coupons',
  'doctor',
  'errors',
  'generator',
  'inventory',
  'invoices',
  'legal',
  'mails',
  'nav',
  'notifications',
  'orders',
  'payments',
  'prices',
  'proxy_servers',
  'proxy_test',
  'proxy_users',
  'referrals',
  'residential_buy',
  'search',
  'security',
  'static_residential_proxies',
  'status',
  'support',
  'system',
  'usage',
  'validation',
  'welcome',
  'webhooks',
];

function texts(language: string) {
  const read = (name: string) =>
    JSON.parse(readFileSync(resolve(process.cwd(), `../locales/${language}/${name}.json`), 'utf8'));
  return Object.fromEntries(NAMESPACES.map((name) => [name, read(name)]));
}

await i18next
  .use(initReactI18next)
  .use(numbers)
  .init({
    lng: 'en',
    fallbackLng: 'en',
    ns: NAMESPACES,
    defaultNS: 'common',
    resources: { en: texts('en'), zh: texts('zh') },
    interpolation,
  });
await Promise.all([loadCore(), loadScreenRules()]);

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: query.includes('min-width'),
  addEventListener: () => {},
  removeEventListener: () => {},
}));
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

beforeEach(async () => {
  vi.clearAllMocks();
  resetStores();
  // The app's prompt, which no other screen renders, would be waited for without end.
  bindConfirmation(async () => false);
  localStorage.clear();
  sessionStorage.clear();
  await i18next.changeLanguage('en');
});
afterEach(() => {
  cleanup();
  // A request that a test did not answer has the server tried until it answers: not in the next test.
  connectionWorks();
});
// The next file in this worker would find them: a copied `location`, for example.
afterAll(() => {
  vi.unstubAllGlobals();
});
