// The sign-in screen: its requests, their size, and the time of the first paint.
import { line, median } from './report.mjs';
import { BROWSER_ARGUMENTS, chromium, executablePath, text } from './shop.mjs';

const MOST_REQUESTS = 20;
const MOST_KB_UNTIL_USABLE = 130;
const MOST_KB = 260;
const MOST_PAINT_MS = 350;
const VISITS = 9;

const kilobytes = (entries) => entries.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
const isCode = ({ path }) => /\.(js|css)$/.test(path);

/** A first visit, with empty caches. */
async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel(text('auth', 'email'), { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const found = await page.evaluate(() => {
    const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return {
      painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      files: asked.map(({ name, encodedBodySize, startTime }) => ({
        path: new URL(name).pathname,
        bytes: encodedBodySize,
        startTime,
      })),
    };
  });
  await context.close();
  return found;
}

export async function measureLogin(url) {
  console.log('\nThe sign-in screen in Chromium');
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  try {
    const visits = [];
    for (let number = 0; number <= VISITS; number += 1) visits.push(await visit(browser, url));
    // The first visit warms up the browser and the server.
    const { files } = visits[1];
    line('requests', String(files.length), `at most ${MOST_REQUESTS}`, files.length <= MOST_REQUESTS);
    const code = kilobytes(files.filter((file) => isCode(file) && file.startTime < visits[1].painted));
    const bound = `at most ${MOST_KB_UNTIL_USABLE} KB`;
    line('scripts and styles until usable', `${code.toFixed(1)} KB`, bound, code <= MOST_KB_UNTIL_USABLE);
    const all = kilobytes(files);
    line('everything, with letters and wasm', `${all.toFixed(1)} KB`, `at most ${MOST_KB} KB`, all <= MOST_KB);
    const times = visits.slice(1).map(({ painted }) => painted);
    const time = median(times);
    const spread = `${time.toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
    line('first contentful paint', spread, `at most ${MOST_PAINT_MS} ms`, time <= MOST_PAINT_MS);
  } finally {
    await browser.close();
  }
}
