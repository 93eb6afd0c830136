// Somebody new to the shop: goes by what is on the screen, clicks it, types where the cursor is, and knows no shortcut. Clicks are counted.
import type { Locator, Page } from 'playwright-core';

/** How long a field may take to put the cursor into itself before somebody clicks on it. */
const MOMENT_MS = 700;

export class Novice {
  clicks = 0;

  constructor(readonly page: Page) {}

  async clicksOn(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }

  /** Types into a field. A click goes before it, unless the cursor is there already. */
  async types(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    const hasCursor = await field
      .and(this.page.locator(':focus'))
      .waitFor({ timeout: MOMENT_MS })
      .then(() => true)
      .catch(() => false);
    if (!hasCursor) await this.clicksOn(field);
    await this.page.keyboard.type(text);
  }

  /** Opens a part of the sidebar, and goes to one of its screens. */
  async goesTo(sidebar: Locator, part: string, screen: string): Promise<void> {
    await this.clicksOn(sidebar.getByRole('button', { name: part, exact: true }));
    await this.clicksOn(sidebar.getByRole('link', { name: screen, exact: true }));
  }
}
