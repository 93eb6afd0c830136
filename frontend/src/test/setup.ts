// Before every unit test: the real rules and texts, and a browser's odds and ends that jsdom lacks.
import '@testing-library/jest-dom/vitest';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanup } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { loadCore, loadEndpoints } from '@/core';

const NAMESPACES = [
  'accounts',
  'auth',
  'billing',
  'common',
  'errors',
  'nav',
  'orders',
  'static_residential_proxies',
  'validation',
];

function texts(language: string) {
  const read = (name: string) =>
    JSON.parse(readFileSync(resolve(process.cwd(), `../locales/${language}/${name}.json`), 'utf8'));
  return Object.fromEntries(NAMESPACES.map((name) => [name, read(name)]));
}

await i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  ns: NAMESPACES,
  defaultNS: 'common',
  resources: { en: texts('en'), zh: texts('zh') },
  interpolation: { escapeValue: false },
});
await Promise.all([loadCore(), loadEndpoints()]);

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
  localStorage.clear();
  sessionStorage.clear();
  await i18next.changeLanguage('en');
});
afterEach(cleanup);
