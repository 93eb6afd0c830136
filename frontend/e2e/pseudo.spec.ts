// Pseudolocalization: every screen, and the dialogs of sellers, with texts 40% longer. All visible text must come from `locales`, the shop's data or the browser, and
// must fit on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from './prepare';
import { EVERYTHING, SCREENS } from './screens';
import { sellerTour } from './sellerScreens';
import { type Language, openBrowser, Shop, texts, visit } from './shop';
import { beyondWindow } from './widths';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(EVERYTHING), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const [BEGIN, END] = ['⟦', '⟧'];
const LONGER = 0.4;
const FILLER = 'vel sunt quam mora tibi nova casa pulchra sine dolore';

/** 40% longer, with word breaks, in brackets that no other text has. */
function pseudo(text: string): string {
  const length = Math.ceil(text.replaceAll(/\{\{.*?\}\}/g, '').length * LONGER);
  return `${BEGIN}${text} ${FILLER.repeat(Math.ceil(length / FILLER.length))
    .slice(0, length)
    .trim()}${END}`;
}

/** As `texts`, for the pseudolocalized texts. */
function pseudoTexts(language: Language, namespace: string): ReturnType<typeof texts> {
  const t = texts(language, namespace);
  return (key, parameters = {}) =>
    Object.entries(parameters).reduce((text, [name, value]) => text.replace(`{{${name}}}`, `${value}`), pseudo(t(key)));
}

function allPseudo(value: unknown): unknown {
  if (typeof value === 'string') return value && pseudo(value);
  if (Array.isArray(value)) return value.map(allPseudo);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, allPseudo(inner)]));
  return value;
}

/** Switches to pseudolocalized texts, and records the server's responses. */
async function speakPseudo(page: Page): Promise<string[]> {
  const said: string[] = [];
  await page.context().route('**/locales/en/**', async (route) => {
    const texts = await (await route.fetch()).json();
    await route.fulfill({ json: allPseudo(texts) });
  });
  page.on('response', async (response) => {
    if (!response.url().includes('/api/')) return;
    said.push(await response.text().catch(() => ''));
  });
  return said;
}

/** Not translated: names, and text formatted by the browser. */
const SAME = [
  /^(?:· )?(HTTPS?|HTTP\(S\)|SOCKS5|IPv[46]|JSON|CSV|NDJSON|URL|API|QR|AS\d+|USD|UTC|GB|MB|TB|curl|Ctrl K|Postern)$/,
  /^(Python|Node\.js|Go|PHP|Java|C#|Rust|Ruby|English|中文|Linux|macOS|Windows|Chrome|Firefox|Safari|Edge)\b/,
  // Dates, amounts and durations by Intl, and addresses in examples.
  /^(in |yesterday|tomorrow|today|now|last |next )?[\d$<–−+-]/,
  /^HTTP \d+( · SOCKS5 \d+)?$/,
  /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)/,
  /(\.example|example\.(com|org)|@)/,
];

/** Visible texts that come neither from `locales` nor from the server. */
async function untranslatedTexts(page: Page, said: string): Promise<string[]> {
  const found = await page.evaluate((begin) => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? '';
      const parent = walker.currentNode.parentElement;
      if (!parent || !/\p{L}{3}/u.test(text) || parent.closest('script, style, code, pre, svg, [aria-hidden="true"]'))
        continue;
      // Parts of a text with emphasis are inside the brackets of the whole.
      const isMadeUp = text.includes(begin);
      const whole = [parent, parent.parentElement, parent.parentElement?.parentElement];
      if (
        isMadeUp ||
        whole.some((one) => one && (one.textContent?.length ?? 0) < 400 && one.textContent?.includes(begin))
      )
        continue;
      if (parent.checkVisibility()) texts.push(text);
    }
    return [...new Set(texts)];
  }, BEGIN);
  // A name may be followed by a number.
  const isOfShop = (text: string) => said.includes(text.replace(/ \(\d+\)$/, ''));
  return found.filter((text) => !SAME.some((known) => known.test(text)) && !isOfShop(text));
}

/** The innermost elements that overflow to the right. */
const overflowing = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > width + 1);
    const inner = out.filter((one) => !out.some((other) => one !== other && one.contains(other)));
    return inner.map((one) => `${one.tagName} "${one.textContent?.slice(0, 60)}"`).join(', ');
  });

/** What of an open dialog is wider than the dialog; what scrolls in a box of its own may be. */
const beyondDialog = (page: Page) =>
  page.evaluate(() => {
    const dialog = document.querySelector('[role="dialog"]');
    if (!dialog) return [];
    const { right } = dialog.getBoundingClientRect();
    return [...dialog.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > right + 1 && !one.closest('section[tabindex="0"]'))
      .map((one) => `${one.tagName} "${one.textContent?.slice(0, 60)}"`);
  });

/** What is wrong with the screen, under its name. */
async function faults(page: Page, name: string, said: string[]): Promise<string[]> {
  expect(await page.getByText(BEGIN).count(), `${name} speaks the made-up language`).toBeGreaterThan(3);
  const found: string[] = [];
  const wide = await beyondWindow(page);
  if (wide > 0) found.push(`${name} is ${wide} px wider than the phone: ${await overflowing(page)}`);
  for (const part of await beyondDialog(page)) found.push(`${name} has a part wider than its dialog: ${part}`);
  for (const text of await untranslatedTexts(page, said.join(' '))) found.push(`${name} says: ${text}`);
  return found;
}

const PHONE = { width: 360, height: 780 };

test('no screen has hard-coded texts, and longer texts fit at 360 px', async () => {
  const { page } = await visit(browser, 'en', PHONE);
  await signIn(page, shop, 'en', 'customer@example.com');
  const said = await speakPseudo(page);
  const wrong: string[] = [];
  // Country names come with the stock.
  await page.goto(`${shop.url}${SCREENS.order}?lang=en`);
  await page.waitForLoadState('networkidle');
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(`${shop.url}${path}${path.includes('?') ? '&' : '?'}lang=en`);
    await page.waitForLoadState('networkidle');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    wrong.push(...(await faults(page, name, said)));
  }
  expect(wrong).toEqual([]);
});

test('no screen or dialog of a seller has hard-coded texts, and longer texts fit at 360 px', async () => {
  const { page } = await visit(browser, 'en', PHONE);
  await signIn(page, shop, 'en', 'operator@example.com');
  const said = await speakPseudo(page);
  const wrong: string[] = [];
  const show = async (name: string) => {
    await page.waitForLoadState('networkidle');
    wrong.push(...(await faults(page, name, said)));
  };
  await sellerTour({ page, shop, language: 'en', show, shownTexts: pseudoTexts });
  expect(wrong).toEqual([]);
});
