// The script that runs before the first paint.
import { expect, test, vi } from 'vitest';
import { THEME_KEY, USER_STORE_KEY } from '@/core/constants.gen';

const preloaded = () => [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href') ?? '');

let runs = 0;

/** Runs the script as the page does; returns the preloaded URLs. */
async function beforePaint(): Promise<string[]> {
  document.head.innerHTML = '';
  runs += 1;
  // A module runs once per address.
  await import(/* @vite-ignore */ `/src/beforePaint.ts?run=${runs}`);
  return preloaded();
}

test('the saved theme is applied before the first paint', async () => {
  localStorage.setItem(THEME_KEY, 'dark');
  await beforePaint();
  expect(document.documentElement.dataset.theme).toBe('dark');
  localStorage.removeItem(THEME_KEY);
  await beforePaint();
  expect(document.documentElement.dataset.theme).toBe('light');
});

test('a visitor preloads the sign-in texts in the language of the address and the fallback language', async () => {
  window.history.replaceState(null, '', '/login?lang=zh');
  expect(await beforePaint()).toEqual([
    '/locales/zh/common+errors+auth.json?v=20251012163315',
    '/locales/en/common+errors+auth.json?v=20251012163315',
  ]);
  expect(localStorage.getItem('lang')).toBe('zh');
});

test("a signed-in user preloads the texts of the frame and the screen, the frame's code, and the rules", async () => {
  localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info: { Token: 't' } } }));
  window.history.replaceState(null, '', '/billing/wallet');
  expect(await beforePaint()).toEqual([
    '/locales/en/common+errors+nav+orders+billing.json?v=20251012163315',
    '/assets/Layout.js',
    '/assets/rules.wasm',
  ]);
});

test('the code is asked for after the prerendered screen has been painted', async () => {
  let paint = () => {};
  class Observer {
    constructor(then: (list: unknown, observer: Observer) => void) {
      paint = () => then([], this);
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('PerformanceObserver', Observer);
  document.documentElement.dataset.screenFor = 'user';
  localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info: { Token: 't' } } }));
  window.history.replaceState(null, '', '/billing/wallet');
  const texts = '/locales/en/common+errors+nav+orders+billing.json?v=20251012163315';
  expect(await beforePaint()).toEqual([texts]);
  paint();
  expect(preloaded()).toEqual([texts, '/assets/Layout.js', '/assets/rules.wasm']);
  delete document.documentElement.dataset.screenFor;
});

test('the prerendered screen for visitors or for users is shown in their language', async () => {
  const { dataset } = document.documentElement;
  const shown = async (path: string, info: Record<string, unknown> | null) => {
    localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info } }));
    window.history.replaceState(null, '', `${path}${path.includes('?') ? '&' : '?'}lang=zh`);
    await beforePaint();
    return [dataset.prerendered, 'operator' in dataset];
  };
  const user = { Token: 't', Level: 0, State: 'active' };
  expect(await shown('/login', null)).toEqual(['visitor-zh', false]);
  expect(await shown('/welcome/products', user)).toEqual(['user-zh', false]);
  expect(await shown('/welcome/products', { ...user, Level: 2 })).toEqual(['user-zh', true]);
  // They are shown other screens than the one prerendered for the path.
  expect((await shown('/welcome/products', { ...user, State: 'suspended' }))[0]).toBeUndefined();
  expect((await shown('/order?OrderId=1', user))[0]).toBeUndefined();
});
