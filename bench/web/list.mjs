// The proxy list of an account with 100,000 nodes: time from the click to the first rows, and blank rows while scrolling.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { line, median } from './report.mjs';
import { BROWSER_ARGUMENTS, chromium, executablePath, release, root, signIn, text } from './shop.mjs';

const FIRST_ROWS_MS = 300;
const VISITS = 9;

/** Adds the account and its nodes to a shop; returns the credentials. */
export function fillList(folder) {
  const program = join(release, 'postern-bench-api');
  return JSON.parse(execFileSync(program, ['fill', folder], { cwd: root, encoding: 'utf8' }));
}

// Runs in the page: time from the click to the frame that shows the first row's address.
const clickToRows = (link) =>
  new Promise((done) => {
    const begin = performance.now();
    link.click();
    const look = () => {
      const cell = document.querySelector('[role="gridcell"] code, [role="gridcell"][col-id="Ip"]');
      if (cell?.textContent.includes('10.')) requestAnimationFrame(() => done(performance.now() - begin));
      else requestAnimationFrame(look);
    };
    look();
  });

// Runs in the page: scrolls through the list, and counts the frames in which part of it has no filled row.
const scrollThrough = () =>
  new Promise((done) => {
    const body = document.querySelector('[role="grid"], [role="treegrid"]');
    const moves = (part) =>
      part.scrollHeight > part.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(part).overflowY);
    // The grid positions its rows itself.
    const scroller = [body, ...body.querySelectorAll('*')].find(moves);
    let frames = 0;
    let blank = 0;
    const step = () => {
      const box = scroller.getBoundingClientRect();
      const header = scroller.querySelector('[role="columnheader"]').getBoundingClientRect();
      // Between the header and the horizontal scroll bar.
      const bottom = box.top + scroller.clientHeight - 20;
      const rows = [...scroller.querySelectorAll('[role="row"]')].filter((row) => row.querySelector('code'));
      const places = rows.map((row) => row.getBoundingClientRect());
      frames += 1;
      for (let y = header.bottom + 2; y < bottom; y += 20) {
        if (!places.some((place) => place.top <= y && y <= place.bottom)) {
          blank += 1;
          break;
        }
      }
      const before = scroller.scrollTop;
      scroller.scrollTop += 120;
      if (scroller.scrollTop === before) done({ frames, blank });
      else requestAnimationFrame(step);
    };
    step();
  });

export async function measureList(url, account) {
  console.log('\nThe proxy list of 100,000 nodes in Chromium, SQLite');
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    await signIn(page, url, account);
    const times = [];
    for (let visit = 0; visit <= VISITS; visit += 1) {
      // From another screen, without cached list data.
      await page.goto(`${url}/static-residential-proxies/pricing?lang=en`);
      const link = page.locator('a[href="/static-residential-proxies/proxy-list"]').first();
      await link.waitFor();
      await page.waitForLoadState('networkidle');
      const time = await link.evaluate(clickToRows);
      // The first visit loads the screen's code; later ones are typical.
      if (visit === 0) console.log(`  the very first visit                   ${time.toFixed(0)} ms`);
      else times.push(time);
    }
    const time = median(times);
    const worst = `${time.toFixed(0)} ms (worst ${Math.max(...times).toFixed(0)})`;
    line('click to first rows', worst, `at most ${FIRST_ROWS_MS} ms`, time <= FIRST_ROWS_MS);
    await page.getByLabel(text('common', 'rowsPerPage'), { exact: true }).selectOption('200');
    await page.locator('section[aria-busy="false"]', { hasText: /1.*200.*100,000/ }).waitFor();
    const { frames, blank } = await page.evaluate(scrollThrough);
    line('scrolling through 200 rows', `${blank} of ${frames} frames blank`, 'at most 0', blank === 0);
  } finally {
    await browser.close();
  }
}
