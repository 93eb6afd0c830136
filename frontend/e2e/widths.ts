// How well a page fits into its window.
import type { Page } from 'playwright-core';

/** By how many pixels the page is wider than its window. */
export const beyondWindow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
