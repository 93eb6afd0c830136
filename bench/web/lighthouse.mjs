// Lighthouse on the first screens of a visit, as a desktop and as a phone on a slow connection.
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';
import puppeteer from 'puppeteer-core';
import { line, median } from './report.mjs';
import { BROWSER_ARGUMENTS, executablePath, text } from './shop.mjs';

const LEAST = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const SCREENS = [
  { name: '/login', path: '/login', isSignedIn: false, judged: CATEGORIES },
  { name: 'welcome', path: '/welcome/products', isSignedIn: true },
  { name: 'order', path: '/static-residential-proxies/order', isSignedIn: true },
  { name: 'proxy list', path: '/static-residential-proxies/proxy-list', isSignedIn: true },
];
const JUDGED_SIGNED_IN = CATEGORIES.slice(0, 3);

/** The browser storage of a signed-in user. */
async function keptAfterSigningIn(browser, url, { email, password }) {
  const page = await browser.newPage();
  await page.goto(`${url}/login?lang=en`);
  const type = async (label, typed) => (await page.waitForSelector(`aria/${text('auth', label)}[role="textbox"]`)).type(typed);
  await type('email', email);
  await type('password', password);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.location.pathname !== '/login');
  const kept = await page.evaluate(() => Object.entries(localStorage));
  await page.close();
  return kept;
}

/** The tracing of a page load fails now and then; Lighthouse itself says to run it again. */
const MOST_ATTEMPTS = 3;
const TRACE_ERRORS = ['NO_NAVSTART', 'NO_FCP'];

async function run(...visit) {
  for (let attempt = 1; ; attempt += 1) {
    const lhr = await runOnce(...visit);
    if (!lhr.runtimeError) return lhr;
    if (attempt === MOST_ATTEMPTS || !TRACE_ERRORS.includes(lhr.runtimeError.code))
      throw new Error(`Lighthouse on ${visit[1]}: ${lhr.runtimeError.message}`);
  }
}

/** One run in a browser window of its own with nothing stored or cached, except for the storage set before the app starts. */
async function runOnce(browser, url, kept, form) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.evaluateOnNewDocument((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, kept);
  const flags = { logLevel: 'error', onlyCategories: CATEGORIES };
  const { lhr } = await lighthouse(url, flags, form === 'desktop' ? desktop : undefined, page);
  await context.close();
  return lhr;
}

/** The audits that cost points in a category, largest loss first. */
function faults(lhr, category) {
  return lhr.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.95)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ id }) => `${id}${lhr.audits[id].displayValue ? ` ${lhr.audits[id].displayValue}` : ''}`);
}

export async function measureLighthouse(url, account) {
  const runs = Number(process.env.RUNS ?? 5);
  const screens = SCREENS.filter(({ path }) => path.includes(process.env.SCREEN ?? ''));
  console.log(`\nLighthouse, medians of ${runs}`);
  const browser = await puppeteer.launch({ executablePath, args: BROWSER_ARGUMENTS, headless: true });
  try {
    const kept = await keptAfterSigningIn(browser, url, account);
    for (const { name, path, isSignedIn, judged = JUDGED_SIGNED_IN } of screens) {
      for (const form of ['desktop', 'mobile']) {
        const found = [];
        for (let number = 0; number < runs; number += 1) {
          found.push(await run(browser, `${url}${path}`, isSignedIn ? kept : [], form));
        }
        for (const category of judged) {
          const score = median(found.map((lhr) => Math.round(lhr.categories[category].score * 100)));
          line(`${name}, ${form}: ${category}`, String(score), `at least ${LEAST}`, score >= LEAST);
          if (score < 100) console.log(`      ${faults(found[0], category).join('; ')}`);
        }
      }
    }
  } finally {
    await browser.close();
  }
}
