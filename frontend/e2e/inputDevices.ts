// Ways to use the shop without a mouse: keyboard only, and touch on a phone. Events of any other device are logged as console errors,
// which fails the test.
import type { Locator, Page } from 'playwright-core';
import type { Customer } from './customer';
import { texts, type Window } from './shop';

export interface InputDevice {
  /** Presses a button, follows a link, or selects an option. */
  presses(what: Locator): Promise<void>;
  types(field: Locator, text: string): Promise<void>;
  /** The same within a row of a list. */
  pressesIn(list: Locator, what: Locator): Promise<void>;
  /** Chooses an item of the open menu. */
  takes(entry: Locator): Promise<void>;
  /** Opens a screen of the sidebar, or an entry without screens. */
  goesTo(entry: string, child?: string): Promise<void>;
}

/** More tab stops than any screen has. */
/** How long a menu may take to move the focus; at its end it does not. */
const MOVE_MS = 2_000;
const MOST_STOPS = 400;

const isFocused = (what: Locator) => what.evaluate((element) => element === document.activeElement);

/** A sidebar entry, and the screens below it. */
function sidebarOf({ page, language }: Customer, entry: string) {
  const nav = texts(language, 'nav');
  const sidebar = page.getByRole('navigation', { name: nav('navigation') });
  // The button that unfolds the screens; in a drawer it is the entry itself.
  const entryItself = page.getByRole('button', { name: nav(entry) });
  const parent = sidebar.locator(entryItself);
  // Within a list item, so not from the sidebar on.
  const screens = sidebar.getByRole('listitem').filter({ has: entryItself });
  const link = (child: string) => screens.getByRole('link', { name: nav(child), exact: true });
  return { parent, link };
}

/** Fails the test on any of these events that is not from the device. */
const refusesOthers = (page: Page, kinds: string[], device: 'keys' | 'fingers') =>
  page.addInitScript(
    ([kinds, device]) => {
      const isAllowed = (event: Event) => {
        if (!(event instanceof PointerEvent)) return false;
        // When the page moves under a pointer that rests, browsers without windows send an event, too.
        const rests = event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0;
        return rests || (device === 'fingers' && event.pointerType === 'touch');
      };
      const check = (event: Event) =>
        event.isTrusted && !isAllowed(event) && console.error(`a ${event.type} without ${device}`);
      for (const kind of kinds) window.addEventListener(kind, check, true);
    },
    [kinds, device] as const,
  );

export class Keyboard implements InputDevice {
  static readonly window: Window = {};

  constructor(private readonly customer: Customer) {}

  /** Fails the test on any mouse or touch event. */
  static alone = (page: Page) =>
    refusesOthers(page, ['pointerdown', 'pointermove', 'mousedown', 'touchstart', 'wheel'], 'keys');

  private get page(): Page {
    return this.customer.page;
  }

  private async reaches(what: Locator): Promise<void> {
    await what.waitFor();
    await this.until('Tab', () => isFocused(what));
    if (!(await isFocused(what))) throw new Error(`no key reaches ${what}`);
  }

  async presses(what: Locator): Promise<void> {
    await this.reaches(what);
    await this.page.keyboard.press('Enter');
  }

  async types(field: Locator, text: string): Promise<void> {
    await this.reaches(field);
    await this.page.keyboard.type(text);
  }

  /** Presses a key until an element has the focus. */
  private async until(key: string, hasFocus: () => Promise<boolean>): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS && !(await hasFocus()); stop += 1) await this.page.keyboard.press(key);
  }

  /** In a grid, arrows move between cells, and Enter focuses the content of a cell. */
  async pressesIn(list: Locator, what: Locator): Promise<void> {
    await what.waitFor();
    const cell = list.getByRole('gridcell').filter({ has: what });
    const [head, inside] = ['columnheader', 'gridcell'].map((role) => list.locator(`[role="${role}"]:focus`));
    // The header comes first.
    await this.until('Tab', async () => (await head?.count()) === 1);
    await this.page.keyboard.press('ArrowDown');
    await inside?.waitFor();
    await this.until('ArrowRight', () => isFocused(cell));
    await this.page.keyboard.press('Enter');
    // The grid handles keys asynchronously.
    await cell.locator(':focus').waitFor();
    await this.presses(what);
  }

  async takes(entry: Locator): Promise<void> {
    await entry.waitFor();
    // Until the menu has the focus, arrows would move through the list below it.
    await this.page.getByRole('menu').locator(':focus').waitFor();
    // A menu moves the focus a moment after the key: the next key waits for it, or it would pass the entry.
    for (let stop = 0; stop < MOST_STOPS && !(await isFocused(entry)); stop += 1) {
      const before = await this.page.evaluateHandle(() => document.activeElement);
      await this.page.keyboard.press('ArrowDown');
      await this.page
        .waitForFunction((one) => document.activeElement !== one, before, { timeout: MOVE_MS })
        .catch(() => {});
    }
    if (!(await isFocused(entry))) throw new Error(`no key reaches ${entry}`);
    await this.page.keyboard.press('Enter');
  }

  async goesTo(entry: string, child?: string): Promise<void> {
    const { parent, link } = sidebarOf(this.customer, entry);
    const isOpen = child && (await parent.getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await this.presses(parent);
    if (child) await this.presses(link(child));
  }
}

export class TouchScreen implements InputDevice {
  static readonly window: Window = { width: 360, height: 740, touch: true };

  constructor(private readonly customer: Customer) {}

  /** Fails the test on any mouse event. */
  static alone = (page: Page) => refusesOthers(page, ['pointerdown', 'pointermove', 'wheel'], 'fingers');

  private get page(): Page {
    return this.customer.page;
  }

  async presses(what: Locator): Promise<void> {
    await what.tap();
  }

  async types(field: Locator, text: string): Promise<void> {
    await field.tap();
    await this.page.keyboard.type(text);
  }

  async pressesIn(_list: Locator, what: Locator): Promise<void> {
    await what.tap();
  }

  async takes(entry: Locator): Promise<void> {
    await entry.tap();
  }

  /** The sidebar is a drawer. */
  async goesTo(entry: string, child?: string): Promise<void> {
    await this.page.getByRole('button', { name: this.customer.text('common:openMenu') }).tap();
    const { parent, link } = sidebarOf(this.customer, entry);
    const isOpen = child && (await parent.getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await parent.tap();
    if (child) await link(child).tap();
  }
}
