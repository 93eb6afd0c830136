// Benchmarks waiting times in the browser, against the release server; fails if a bound is missed: make bench-web.
//   ONLY=login       requests, bytes and first paint of the sign-in screen
//   ONLY=list        the proxy list of 100,000 nodes
//   ONLY=generator   100,000 lines of the endpoint generator
//   ONLY=actions     the time of each action until the next paint, and layout shifts; RUNS=1 for less
//   ONLY=lighthouse  Lighthouse on the sign-in, welcome and order screens and the proxy list; RUNS=1 and SCREEN=order for less
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureGenerator } from '../bench/web/generator.mjs';
import { measureInteractions, measureListInteractions } from '../bench/web/interactions.mjs';
import { fillList, measureList } from '../bench/web/list.mjs';
import { measureLogin } from '../bench/web/login.mjs';
import { verdict } from '../bench/web/report.mjs';
import { release, root, withShop } from '../bench/web/shop.mjs';

const CUSTOMER = 'customer@example.com';
const PARTS = ['login', 'generator', 'actions', 'lighthouse', 'list'];
const only = process.env.ONLY;
if (only && !PARTS.includes(only)) throw new Error(`ONLY=${only}: ${PARTS.join(', ')}`);
const isWanted = (part) => !only || only === part;

/** Starts the demo shop; returns its customer's credentials. */
function fillDemo(folder, env) {
  execFileSync(join(release, 'postern'), ['demo'], { cwd: root, env, stdio: 'ignore' });
  const accounts = JSON.parse(readFileSync(join(folder, 'demo-accounts.json'), 'utf8'));
  return { email: CUSTOMER, password: accounts[CUSTOMER] };
}

if (PARTS.slice(0, 4).some(isWanted)) {
  await withShop(fillDemo, async (url, account) => {
    if (isWanted('login')) await measureLogin(url);
    if (isWanted('generator')) await measureGenerator(url, account);
    if (isWanted('actions')) await measureInteractions(url, account);
    if (!isWanted('lighthouse')) return;
    const { measureLighthouse } = await import('../bench/web/lighthouse.mjs');
    await measureLighthouse(url, account);
  });
}
if (isWanted('list') || isWanted('actions')) {
  await withShop(fillList, async (url, account) => {
    if (isWanted('actions')) await measureListInteractions(url, account);
    if (isWanted('list')) await measureList(url, account);
  });
}
process.exit(verdict());
