// The script that runs before the first paint.
import { expect, test, vi } from 'vitest';
import { THEME_KEY, USER_STORE_KEY } from '@/core/constants.gen';

/** Runs the script as the page does; returns the preloaded URLs. */
async function beforePaint(): Promise<string[]> {
  document.head.innerHTML = '';
  vi.resetModules();
  await import('@/beforePaint');
  return [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href') ?? '');
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

test('the prerendered sign-in screen is shown to visitors in their language', async () => {
  const { dataset } = document.documentElement;
  delete dataset.visitor;
  localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info: { Token: 't' } } }));
  await beforePaint();
  expect(dataset.visitor).toBeUndefined();
  localStorage.removeItem(USER_STORE_KEY);
  window.history.replaceState(null, '', '/login?lang=zh');
  await beforePaint();
  expect(dataset.visitor).toBe('zh');
});
