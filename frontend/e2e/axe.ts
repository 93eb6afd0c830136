// axe checks in common window sizes.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export const WINDOWS = [
  { width: 1600, dark: false, language: 'en' },
  { width: 360, dark: true, language: 'zh' },
] as const;

const DIALOG = '[role="dialog"]';

/** Waits for animations to end: half-transparent text fails the contrast check. */
async function animationsEnded(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      const ends = animation.timeline instanceof DocumentTimeline && Number.isFinite(Number(endTime));
      return !ends || animation.playState !== 'running';
    }),
  );
}

/** The axe violations, with their elements: in the dialogs that are open, or else on the page, which is examined without them elsewhere. */
export async function axeViolations(page: Page, name: string): Promise<string[]> {
  await animationsEnded(page);
  // No screen has frames, whose results it would collect on another page. Describing what passes would take three times as long as finding what does not.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if ((await page.locator(DIALOG).count()) > 0) axe.include(DIALOG);
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map((node) => node.target.join(' '));
    return `${name}: ${id}, ${help}: ${places.slice(0, 3).join(' | ')}`;
  });
}

/** Repeats test cases for each window size. */
export function inWindows<Case>(cases: Case[]) {
  return WINDOWS.flatMap((window) => cases.map((one) => ({ ...window, ...one })));
}
