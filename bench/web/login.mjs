// The sign-in screen: its requests, their size, and the time to first paint and until the app has taken it over.
import { line, median, spread } from './report.mjs';
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
  // The markup that comes with the page is painted earlier; the form answers once the app has replaced it.
  const usable = await page.evaluate(async () => {
    while (document.querySelector('[data-first-screen]')) await new Promise(requestAnimationFrame);
    return performance.now();
  });
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
  return { ...found, usable };
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
    const code = kilobytes(files.filter((file) => isCode(file) && file.startTime < visits[1].usable));
    const bound = `at most ${MOST_KB_UNTIL_USABLE} KB`;
    line('scripts and styles until usable', `${code.toFixed(1)} KB`, bound, code <= MOST_KB_UNTIL_USABLE);
    const all = kilobytes(files);
    line('everything, with letters and wasm', `${all.toFixed(1)} KB`, `at most ${MOST_KB} KB`, all <= MOST_KB);
    const milliseconds = (ms) => `${ms.toFixed(0)} ms`;
    const painted = visits.slice(1).map((visit) => visit.painted);
    const time = median(painted);
    const paint = `${milliseconds(time)} ${spread(painted, milliseconds)}`;
    line('first contentful paint', paint, `at most ${MOST_PAINT_MS} ms`, time <= MOST_PAINT_MS);
    const usable = visits.slice(1).map((visit) => visit.usable);
    console.log(`  ${'usable'.padEnd(38)} ${milliseconds(median(usable))} ${spread(usable, milliseconds)}`);
  } finally {
    await browser.close();
  }
}
