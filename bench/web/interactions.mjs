// The time of actions until the next paint, and layout shifts, on a throttled processor: from the browser's Event Timing and Layout Instability APIs,
// with trusted input events.
import { line, spread, thirdQuartile } from './report.mjs';
import { BROWSER_ARGUMENTS, chromium, executablePath, text } from './shop.mjs';

const SLOWER = 4;
const RUNS = Number(process.env.RUNS ?? 5);
const MOST_MS = 100;
const MOST_SHIFT = 0.02;
/** Shorter events are not reported: an action without any took less. */
const LEAST_MS = 16;
/** Pause before an action, so that the screen is idle, and after it, so that its effects are complete. */
const REST_MS = 400;
/** Duration of a click. */
const HELD_MS = 80;

// Runs in the page before its scripts.
const watch = (least) => {
  window.seen = { events: [], shift: 0 };
  const observe = (type, options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('event', { durationThreshold: least }, ({ interactionId, duration }) => {
    if (interactionId > 0) window.seen.events.push(duration);
  });
  observe('layout-shift', {}, ({ hadRecentInput, value }) => {
    if (!hadRecentInput) window.seen.shift += value;
  });
};

/** Numbers by name, one per run. */
class Figures {
  #found = new Map();

  add(name, number) {
    this.#found.set(name, [...(this.#found.get(name) ?? []), number]);
  }

  /** Compares third quartiles with a bound. */
  judge(most, written) {
    for (const [name, numbers] of this.#found) {
      const figure = thirdQuartile(numbers);
      line(name, `${written(figure)} ${spread(numbers, written)}`, `at most ${written(most)}`, figure <= most);
    }
  }
}

/** A visit on a slow machine, with timed actions. */
class Walk {
  constructor(page, figures) {
    this.page = page;
    this.figures = figures;
  }

  async rests() {
    await this.page.waitForTimeout(REST_MS);
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Executes an action, waits for its result, and records the worst interaction. Does not query the page meanwhile. */
  async times(action, act, until) {
    await this.rests();
    await this.page.evaluate(() => window.seen.events.splice(0));
    await act();
    await this.page.waitForTimeout(REST_MS);
    await until?.waitFor();
    await this.rests();
    const events = await this.page.evaluate(() => window.seen.events);
    this.figures.add(action, Math.max(LEAST_MS, ...events));
  }

  /** With raw mouse events: locating the target would be measured, too. */
  async clicks(action, what, until) {
    await what.scrollIntoViewIfNeeded();
    await this.rests();
    const { x, y, width, height } = await what.boundingBox();
    const [left, top] = [x + width / 2, y + height / 2];
    await this.page.mouse.move(left, top);
    await this.times(action, () => this.page.mouse.click(left, top, { delay: HELD_MS }), until);
  }

  /** One key after the other, each a separate interaction. */
  async types(action, field, typed, until) {
    await field.click();
    await this.times(action, () => this.page.keyboard.type(typed, { delay: 120 }), until);
  }

  /** Changes a select by key, because its list belongs to the system. */
  async chooses(action, select, until) {
    await select.focus();
    await this.times(action, () => this.page.keyboard.press('ArrowDown'), until);
  }

  async goes(entry, child, until) {
    const sidebar = this.page.getByRole('navigation', { name: text('nav', 'navigation') });
    const name = text('nav', child);
    const parent = sidebar.getByRole('button', { name: text('nav', entry), exact: true });
    if ((await parent.getAttribute('aria-expanded')) !== 'true')
      await this.clicks(`sidebar: unfold ${text('nav', entry)}`, parent);
    await this.clicks(`sidebar: to ${name}`, sidebar.getByRole('link', { name, exact: true }), until);
  }
}

const button = (within, name, exact = true) => within.getByRole('button', { name, exact });
const segment = (page, name) => page.getByRole('main').getByRole('radio', { name });
const heading = (page, namespace, key) => page.getByRole('heading', { name: text(namespace, key), exact: true });

async function slowVisit(browser) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 }, colorScheme: 'light' });
  const page = await context.newPage();
  await page.addInitScript(watch, LEAST_MS);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

async function signsIn(walk, url, { email, password }) {
  const { page } = walk;
  await page.goto(`${url}/login?lang=en`);
  const field = (name) => page.getByLabel(text('auth', name), { exact: true });
  await walk.types('sign-in: type the e-mail address', field('email'), email);
  await walk.types('sign-in: type the password', field('password'), password);
  await walk.clicks('sign-in: submit', button(page, text('auth', 'login.submit')), heading(page, 'proxy_users', 'title'));
}

async function buys(walk) {
  const { page } = walk;
  const srp = (key) => text('static_residential_proxies', key);
  await walk.goes('welcome', 'products', heading(page, 'welcome', 'title'));
  const order = page.getByRole('link', { name: text('welcome', 'products.buyStatic'), exact: true }).first();
  await walk.clicks('welcome: to the order form', order, heading(page, 'static_residential_proxies', 'order.title'));
  await page.getByRole('searchbox', { name: srp('order.search') }).waitFor();
  const paris = page.getByRole('textbox', { name: 'Paris', exact: true });
  await walk.types('order form: search a city', page.getByRole('searchbox', { name: srp('order.search') }), 'Paris', paris);
  await walk.types('order form: type a quantity', paris, '12', page.getByText('$60.00').first());
  await walk.clicks('order form: one more', button(page, text('common', 'increase').replace('{{Label}}', 'Paris')));
  await walk.clicks('order form: another period', segment(page, srp('days_other').replace('{{count}}', '90')));
  await page.getByRole('searchbox', { name: srp('order.search') }).fill('');
  await walk.clicks('order form: one more, all cities shown', button(page, text('common', 'increase').replace('{{Label}}', 'Berlin')));
  await walk.clicks('order form: another tier', segment(page, /^Premium/));
}

async function looksAtMoney(walk) {
  const { page } = walk;
  const amount = page.getByLabel(text('billing', 'topUp.amount').replace('{{Currency}}', 'USD'), { exact: true });
  await walk.goes('billing', 'billing-wallet', amount);
  await walk.clicks('wallet: choose an amount', button(page, '$50.00').first());
  await walk.types('wallet: type an amount', amount, '5');
  const orders = page.getByRole('columnheader', { name: text('orders', 'created'), exact: true });
  await walk.goes('billing', 'orders', orders);
  await page.getByRole('link', { name: /^PO/ }).first().waitFor();
  await walk.clicks('orders: sort', orders);
  await walk.clicks('orders: open one', page.getByRole('link', { name: /^PO/ }).first(), heading(page, 'orders', 'timeline'));
}

async function looksAtUsage(walk) {
  const { page } = walk;
  const usage = (key) => text('usage', key);
  const chart = page.getByRole('slider');
  await walk.goes('residential-proxies', 'users', heading(page, 'proxy_users', 'title'));
  await walk.clicks('proxy users: to their usage', segment(page, text('proxy_users', 'view.usage')), chart);
  for (const days of [30, 90]) {
    const range = usage('lastDays_other').replace('{{count}}', days);
    await walk.clicks(`usage: ${range}`, segment(page, range));
  }
  await walk.clicks('usage: split by country', segment(page, usage('split.country')));
}

async function changesLooks(walk) {
  const { page } = walk;
  await walk.clicks('theme: dark', button(page, text('common', 'darkTheme')));
  await walk.clicks('theme: light', button(page, text('common', 'lightTheme')));
  const chinese = page.getByRole('menuitemradio', { name: '中文' });
  await walk.clicks('language: open the menu', button(page, text('common', 'language')), chinese);
  await walk.clicks('language: Chinese', chinese, page.getByRole('button', { name: '语言', exact: true }));
}

/** The proxy list, with its rows. */
async function usesList(walk, url) {
  const { page } = walk;
  const srp = (key) => text('static_residential_proxies', key);
  const rows = page.getByRole('gridcell').filter({ has: page.locator('code') });
  await page.goto(`${url}/static-residential-proxies/proxy-list?lang=en`);
  await rows.first().waitFor();
  await walk.clicks('proxy list: sort', page.getByRole('columnheader', { name: srp('list.expires'), exact: true }));
  await walk.clicks('proxy list: open the filters', button(page, srp('list.filters')));
  await walk.chooses('proxy list: filter by status', page.getByRole('combobox', { name: srp('list.state'), exact: true }));
  await walk.times('proxy list: close the filters', () => page.keyboard.press('Escape'));
  await walk.types('proxy list: search', page.getByRole('searchbox', { name: srp('list.search') }), '10.');
  const boxes = page.getByRole('main').getByRole('checkbox');
  await walk.clicks('proxy list: select one', boxes.nth(1));
  await walk.clicks('proxy list: select a page', boxes.first());
  const [actionsOf] = srp('list.actionsOf').split('{{Ip}}');
  const details = page.getByRole('menuitem', { name: srp('action.details'), exact: true });
  await walk.clicks("proxy list: open a row's menu", button(page, new RegExp(`^${actionsOf}`), false).first(), details);
  await walk.clicks('proxy list: open the panel', details, heading(page, 'static_residential_proxies', 'panel.history'));
  await walk.clicks('proxy list: close the panel', button(page.getByRole('dialog'), text('common', 'close')));
  await walk.clicks('proxy list: next page', button(page, text('common', 'next')));
}

const SCREENS = {
  'sign-in': '/login',
  welcome: '/welcome/products',
  'proxy list': '/static-residential-proxies/proxy-list',
  'order form': '/static-residential-proxies/order',
  wallet: '/billing/wallet',
  orders: '/order',
  usage: '/residential-proxies/users?view=usage',
};

/** Opens each screen without input, and adds up the layout shifts until it is complete. */
async function lookAtShifts(page, url, figures, screens) {
  for (const [name, path] of screens) {
    await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=en`);
    await page.waitForLoadState('networkidle').catch(() => {});
    await page.waitForTimeout(2 * REST_MS);
    figures.add(name, await page.evaluate(() => window.seen.shift));
  }
}

/** Runs a visit, once per run in a new window. */
async function repeat(visit) {
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const page = await slowVisit(browser);
      await visit(page);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

function tell(what, actions, shifts) {
  console.log(`\n${what}, processor ${SLOWER} times slower: until the next paint, third quartiles of ${RUNS}`);
  actions.judge(MOST_MS, (ms) => `${ms.toFixed(0)} ms`);
  console.log(`\n${what}: layout shifts`);
  shifts.judge(MOST_SHIFT, (shift) => shift.toFixed(3));
}

/** The whole shop, as the demo customer. */
export async function measureInteractions(url, account) {
  const [actions, shifts] = [new Figures(), new Figures()];
  await repeat(async (page) => {
    await lookAtShifts(page, url, shifts, Object.entries(SCREENS).slice(0, 1));
    const walk = new Walk(page, actions);
    await signsIn(walk, url, account);
    await buys(walk);
    await looksAtMoney(walk);
    await looksAtUsage(walk);
    await changesLooks(walk);
    await lookAtShifts(page, url, shifts, Object.entries(SCREENS).slice(1));
  });
  tell('Actions in Chromium', actions, shifts);
}

/** The proxy list of a large account. */
export async function measureListInteractions(url, account) {
  const [actions, shifts] = [new Figures(), new Figures()];
  await repeat(async (page) => {
    await signsIn(new Walk(page, new Figures()), url, account);
    await usesList(new Walk(page, actions), url);
    await lookAtShifts(page, url, shifts, [['proxy list', SCREENS['proxy list']]]);
  });
  tell('Actions in the proxy list of 100,000 nodes', actions, shifts);
}
