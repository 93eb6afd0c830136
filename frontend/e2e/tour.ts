// What tours through screens and dialogs share: who is shown around, how a screen is opened and a dialog left.
import type { Page } from 'playwright-core';
import { type Language, type Shop, texts } from './shop';

/** Called with the name of what is shown now. */
type Show = (name: string) => Promise<void>;

/** A visitor who is shown around in one language. */
export interface Tour {
  page: Page;
  shop: Shop;
  language: Language;
  show: Show;
  /** Texts as the screens show them, if not those of `locales`. */
  shownTexts?: typeof texts;
}

export const opener = ({ page, shop, language }: Tour) => {
  return (path: string) => page.goto(`${shop.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
};

/** The texts of a namespace. */
export const textsOf = ({ language, shownTexts = texts }: Tour, namespace: string) => shownTexts(language, namespace);

/** Closes the dialog, also if it asks before what was typed, or is shown only once, is gone. */
export async function leavesDialog(tour: Tour): Promise<void> {
  const { page } = tour;
  const common = textsOf(tour, 'common');
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Escape');
  const answer = (name: string) => dialog.getByRole('button', { name: common(name), exact: true });
  const asks = answer('leaving.discard').or(answer('leaving.close'));
  const gone = page.locator('body:not(:has([role="dialog"]))');
  await asks.or(gone).first().waitFor();
  if ((await asks.count()) > 0) await asks.click();
  await dialog.waitFor({ state: 'detached' });
}
