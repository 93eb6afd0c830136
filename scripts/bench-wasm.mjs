// Benchmarks the wasm package in Node and in Chromium; fails if a bound is missed: make bench-wasm.
//   node scripts/bench-wasm.mjs [node|chromium]   in only one of them
// Medians of several runs. Bounds apply to ratios within one run, except for the 100 ms of a list.
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const fromFrontend = createRequire(join(root, 'frontend/package.json'));
const load = (name) => import(pathToFileURL(fromFrontend.resolve(name)));
// Maximum time of a response with localised times, relative to decoding and JSON.parse alone.
const MOST = { node: 1.25, chromium: 1.4 };
const ZONES = ['Asia/Shanghai', 'America/New_York'];
let missed = 0;

function print(place, rows) {
  let group = '';
  for (const row of rows) {
    if (row.group !== group) console.log(`\n${place}: ${row.group}`);
    group = row.group;
    const ratio = row.ratio === undefined ? '' : `${row.ratio.toFixed(2)} x ${row.of}`;
    const bounds = [
      [row.most, row.ratio <= row.most, `at most ${row.most}`],
      [row.least, row.ratio >= row.least, `at least ${row.least}`],
      [row.mostMs, row.ms <= row.mostMs, `at most ${row.mostMs} ms`],
    ];
    const bound = bounds.find(([limit]) => limit !== undefined);
    const verdict = bound ? `${bound[2]}: ${bound[1] ? 'kept' : 'MISSED'}` : '';
    if (bound && !bound[1]) missed += 1;
    console.log(
      `  ${row.name.padEnd(42)} ${row.ms.toFixed(1).padStart(8)} ms  ${ratio.padEnd(20)} ${verdict}`.trimEnd(),
    );
  }
}

async function inNode() {
  const [core, endpoints] = await Promise.all(
    ['node.js', 'screens-node.js'].map((name) => import(pathToFileURL(join(root, 'wasm/pkg', name)))),
  );
  const { measureLists, measureZone } = await import(pathToFileURL(join(root, 'bench/rules.mjs')));
  const rows = ZONES.flatMap((zone) => {
    process.env.TZ = zone;
    return measureZone(core, zone, MOST.node);
  });
  return [...rows, ...measureLists(endpoints)];
}

// The page is built by Vite with vite-plugin-wasm, like a user's.
async function inChromium(executablePath) {
  const { build } = await load('vite');
  const { default: wasm } = await load('vite-plugin-wasm');
  const { chromium } = fromFrontend('playwright-core');
  const out = join(root, 'target/bench');
  await build({
    root: join(root, 'bench'),
    configFile: false,
    logLevel: 'error',
    plugins: [wasm()],
    resolve: { alias: { '@postern/core': join(root, 'wasm/pkg') } },
    build: { outDir: out, emptyOutDir: true, target: 'es2022' },
  });
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = join(out, request.url === '/' ? 'index.html' : request.url);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const rows = [];
    for (const timezoneId of ZONES) {
      const page = await browser.newPage({ timezoneId });
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.waitForFunction('window.measureLists');
      rows.push(
        ...(await page.evaluate(([zone, most]) => window.measureZone(zone, most), [timezoneId, MOST.chromium])),
      );
      if (timezoneId === ZONES.at(-1)) rows.push(...(await page.evaluate('window.measureLists()')));
      await page.close();
    }
    return rows;
  } finally {
    await browser.close();
    server.close();
  }
}

const only = process.argv[2];
if (only !== 'chromium') print(`Node ${process.versions.node}`, await inNode());
const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = chromium.find((path) => path && existsSync(path));
if (found && only !== 'node') print('Chromium', await inChromium(found));
else if (!found) {
  console.error('no Chromium found: scripts/setup.sh test installs it');
  missed += 1;
}
console.log(missed ? `\n${missed} bounds missed` : '\nall bounds kept');
process.exit(missed ? 1 : 0);
