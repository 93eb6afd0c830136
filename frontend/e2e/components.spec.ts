// The component gallery, built by `npm run components`: both themes and languages, with all overlays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, inWindows } from './axe';
import { openBrowser, texts, visit } from './shop';

const configFile = resolve(import.meta.dirname, '../vite.components.config.ts');
const outDir = mkdtempSync(join(tmpdir(), 'postern-components-'));
let served: PreviewServer;
let browser: Browser;

beforeAll(async () => {
  await build({ configFile, logLevel: 'warn', build: { outDir } });
  const server = { host: '127.0.0.1', port: 0, open: false };
  [served, browser] = await Promise.all([preview({ configFile, build: { outDir }, preview: server }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await served.close();
  rmSync(outDir, { recursive: true, force: true });
});

/** Landmark rules: a component shown several times here repeats its landmarks. */
const OF_SEVERAL = /: landmark-/;

async function shows(page: Page): Promise<void> {
  const address = served.resolvedUrls?.local[0];
  await page.goto(`${address}components.html`);
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
  await page.waitForLoadState('networkidle');
}

test.each(inWindows([{}]))('the gallery passes axe at $width px, dark: $dark', async ({ width, dark, language }) => {
  const { page } = await visit(browser, language, { width, dark });
  await shows(page);
  // Texts of the page's language, which the address does not request.
  await page.getByRole('radio', { name: language === 'en' ? 'English' : '中文' }).check({ force: true });
  await page.getByText(texts(language, 'orders')('quote.summary')).first().waitFor();
  const tooWide = await page.evaluate((room) => document.documentElement.scrollWidth - room, width);
  expect(tooWide).toBeLessThanOrEqual(0);
  expect((await axeViolations(page, 'components')).filter((problem) => !OF_SEVERAL.test(problem))).toEqual([]);
});

test('all overlays open and close, and toasts are announced', async () => {
  const { page } = await visit(browser, 'en', { width: 1280 });
  await shows(page);
  const dialog = page.getByRole('dialog');
  for (const name of ['Dialog', 'Wide dialog', 'SidePanel', 'Drawer', 'TopSheet', 'Popover']) {
    await page.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  for (const name of ['Menu', 'ChoiceMenu', 'CheckMenu']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  for (const name of ['success', 'error', 'brief']) await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'A toast: success' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'A toast: error' }).waitFor();
  await page.getByText('Copied', { exact: true }).waitFor();
});

test.each([
  { width: 360, touch: true },
  { width: 1280, touch: false },
])('toasts do not cover the buttons of a dialog or the focused control at $width px', async ({ width, touch }) => {
  const { page } = await visit(browser, 'en', { width, touch });
  await shows(page);
  const toast = page.getByRole('alert').filter({ hasText: 'A toast: error' });
  const showToast = page.getByRole('button', { name: 'error', exact: true });
  const isCovered = async (control: Locator) => {
    const [above, below] = [await toast.locator('..').boundingBox(), await control.boundingBox()];
    if (!above || !below) return undefined;
    const isBeside = above.x + above.width <= below.x || below.x + below.width <= above.x;
    return !isBeside && above.y < below.y + below.height && below.y < above.y + above.height;
  };
  // The button that was pressed, at the bottom left of the window.
  await showToast.evaluate((button) => {
    Object.assign(button.style, { position: 'fixed', left: '20px', bottom: '20px', zIndex: 1 });
  });
  await showToast.click();
  await toast.waitFor();
  await expect.poll(() => isCovered(showToast)).toBe(false);
  const { y: before } = (await toast.boundingBox()) ?? { y: 0 };
  await page.getByRole('button', { name: 'Dialog', exact: true }).click();
  const buttons = page.getByRole('dialog').locator('[data-bottom-bar] button');
  await buttons.first().waitFor();
  for (const button of await buttons.all()) await expect.poll(() => isCovered(button)).toBe(false);
  // The button is not used any more.
  if (width > 768) await expect.poll(async () => (await toast.boundingBox())?.y).toBeGreaterThan(before);
});

test('every focusable element shows its focus', async () => {
  const { page } = await visit(browser, 'en');
  await shows(page);
  // Switches to keyboard modality.
  await page.keyboard.press('Tab');
  const bare = await page.evaluate(() => {
    const hasRing = (element: Element | null) => element && getComputedStyle(element).boxShadow !== 'none';
    const takes = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)';
    return [...document.querySelectorAll<HTMLElement>(`main ${takes}`)]
      .filter((element) => !element.closest('.ag-root-wrapper') && element.checkVisibility())
      .filter((element) => {
        element.focus();
        return document.activeElement === element && ![element, element.nextElementSibling].some(hasRing);
      })
      .map((element) => element.outerHTML.slice(0, 160));
  });
  expect(bare).toEqual([]);
});

test('theme and language can be switched', async () => {
  const { page } = await visit(browser, 'en');
  await shows(page);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await theme()).toBe('light');
  await page
    .getByRole('button', { name: texts('en', 'common')('darkTheme') })
    .first()
    .click();
  expect(await theme()).toBe('dark');
  await page.getByRole('radio', { name: '中文' }).check({ force: true });
  await page
    .getByRole('button', { name: texts('zh', 'common')('lightTheme') })
    .first()
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
});
