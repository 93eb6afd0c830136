// A user new to the shop: clicks what is on the screen, types where the cursor is, and knows no shortcuts. Clicks are counted.
import type { Locator, Page } from 'playwright-core';

/** How long a field may take to focus itself before it is clicked. */
const MOMENT_MS = 700;

export class ClickCounter {
  clicks = 0;

  constructor(readonly page: Page) {}

  async clicksOn(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }

  /** Types into a field, after clicking it unless it has the focus. */
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

  /** Opens the first screen of a section of the sidebar, and then another one. */
  async goesTo(sidebar: Locator, part: string, screen: string): Promise<void> {
    await this.clicksOn(sidebar.getByRole('link', { name: part, exact: true }));
    await this.clicksOn(sidebar.getByRole('link', { name: screen, exact: true }));
  }
}
