// The endpoint generator: time from the click to 100,000 visible lines, and the longest task of the page meanwhile, from Chromium's trace.
import { line, median } from './report.mjs';
import { BROWSER_ARGUMENTS, chromium, executablePath, signIn, text } from './shop.mjs';

const COUNT = 100_000;
const LINES_MS = 300;
const TASK_MS = 100;
const ROUNDS = 9;

const thousands = (count) => new Intl.NumberFormat('en').format(count);

// Runs in the page: time from the click to the frame that shows this many lines.
const clickToLines = (button, shown) =>
  new Promise((done) => {
    const begin = performance.now();
    button.click();
    const look = () => {
      const status = [...document.querySelectorAll('[role="status"]')].find((part) => part.textContent.includes(shown));
      const list = document.querySelector('section[aria-busy] li, section[aria-label] ol li');
      if (status && list && list.closest('section').getAttribute('aria-busy') !== 'true') {
        requestAnimationFrame(() => done(performance.now() - begin));
      } else requestAnimationFrame(look);
    };
    look();
  });

/** The longest task of the pages' main threads in a trace, in milliseconds. */
function longestTask(trace) {
  const { traceEvents: events } = JSON.parse(trace);
  const place = (event) => `${event.pid}:${event.tid}`;
  const isMain = (event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain';
  const mains = new Set(events.filter(isMain).map(place));
  const tasks = events.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(place(event)));
  if (tasks.length === 0) throw new Error('a trace without tasks');
  return Math.max(...tasks.map((task) => task.dur / 1_000));
}

export async function measureGenerator(url, account) {
  console.log('\nThe endpoint generator in Chromium');
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    await signIn(page, url, account);
    await page.goto(`${url}/residential-proxies/endpoint-generator?lang=en`);
    await page.getByRole('radio', { name: text('generator', 'settings.sticky'), exact: true }).check();
    const button = (count) =>
      page.getByRole('button', { name: `${text('generator', 'settings.count')}: ${thousands(count)}`, exact: true });
    const status = (count) => page.getByRole('status').filter({ hasText: thousands(count) });
    const [times, tasks] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await button(100).click();
      await status(100).waitFor();
      await page.waitForTimeout(200);
      await browser.startTracing(page, {
        categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'toplevel'],
      });
      const time = await button(COUNT).evaluate(clickToLines, thousands(COUNT));
      await page.waitForTimeout(200);
      const task = longestTask((await browser.stopTracing()).toString());
      // The first run starts the worker; later ones are typical.
      if (round === 0) console.log(`  the very first list                    ${time.toFixed(0)} ms`);
      else {
        times.push(time);
        tasks.push(task);
      }
    }
    const time = median(times);
    const worst = `${time.toFixed(0)} ms (worst ${Math.max(...times).toFixed(0)})`;
    line(`click to ${thousands(COUNT)} lines`, worst, `at most ${LINES_MS} ms`, time <= LINES_MS);
    const task = Math.max(...tasks);
    line('longest task of the page', `${task.toFixed(0)} ms`, `at most ${TASK_MS} ms`, task <= TASK_MS);
  } finally {
    await browser.close();
  }
}
