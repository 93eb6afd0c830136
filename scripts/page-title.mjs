// Prints the title of a page of a folder after its scripts have run in Chromium, with all console errors.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const { chromium } = createRequire(new URL('../frontend/package.json', import.meta.url))('playwright-core');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Serves a folder; `types` adds to the usual content types. */
export async function serve(folder, types = {}) {
  const server = createServer((request, response) => {
    const path = join(folder, request.url === '/' ? 'index.html' : decodeURI(request.url.split('?')[0]));
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    const type = { ...TYPES, ...types }[extname(path)] ?? 'application/octet-stream';
    createReadStream(path).pipe(response.writeHead(200, { 'Content-Type': type }));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Returns the title that a page sets; throws its console errors. */
export async function titleOf(url) {
  const executablePath = PLACES.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium found: scripts/setup.sh test installs it');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(url);
    await page.waitForFunction('document.title', undefined, { timeout: 60_000 }).catch((error) => {
      throw new Error(errors.join('\n') || String(error));
    });
    return await page.title();
  } finally {
    await browser.close();
  }
}
