// Runs before every unit test: loads the real rules and texts, and polyfills what jsdom lacks.
import '@testing-library/jest-dom/vitest';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { loadAccount, loadCore, loadEndpoints, loadResidential } from '@/core';
import { interpolation, numbers } from '@/i18n/numbers';

// Allows for slow machines.
configure({ asyncUtilTimeout: 10_000 });

// jsdom has no canvas, so the plot is mocked.
vi.mock('@/ui/chart/Plot', () => ({ Plot: () => null }));

const NAMESPACES = [
  'account',
  'accounts',
  'auth',
  'billing',
  'common',
  'errors',
  'generator',
  'nav',
  'notifications',
  'orders',
  'proxy_servers',
  'proxy_users',
  'referrals',
  'residential_buy',
  'search',
  'security',
  'static_residential_proxies',
  'support',
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
await Promise.all([loadCore(), loadAccount(), loadEndpoints(), loadResidential()]);

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

/** Resets every store. They are imported here so that mocks registered by a test are applied first. */
async function resetStores(): Promise<void> {
  const stores = await Promise.all([
    import('@/stores/config'),
    import('@/stores/ips'),
    import('@/stores/order'),
    import('@/stores/plan'),
    import('@/stores/user'),
  ]);
  const [{ useConfigStore }, { useIpsStore }, { useOrderStore }, { usePlanStore }, { useSessionStore, useUserStore }] =
    stores;
  useConfigStore.setState(useConfigStore.getInitialState(), true);
  useIpsStore.setState(useIpsStore.getInitialState(), true);
  useOrderStore.setState(useOrderStore.getInitialState(), true);
  usePlanStore.setState(usePlanStore.getInitialState(), true);
  useSessionStore.setState(useSessionStore.getInitialState(), true);
  useUserStore.setState(useUserStore.getInitialState(), true);
}

beforeEach(async () => {
  await resetStores();
  localStorage.clear();
  sessionStorage.clear();
  await i18next.changeLanguage('en');
});
afterEach(cleanup);
