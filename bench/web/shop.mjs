// A shop on the release server in a temporary folder, and Chromium to open it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const { chromium } = createRequire(join(root, 'frontend/package.json'))('playwright-core');
/** The optimised programs. */
export const release = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'release');

export const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
export const BROWSER_ARGUMENTS = ['--no-sandbox', '--disable-gpu'];

export const text = (namespace, key) =>
  key
    .split('.')
    .reduce((inner, part) => inner[part], JSON.parse(readFileSync(join(root, `locales/en/${namespace}.json`), 'utf8')));

const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

/** Serves a shop that `fill` creates in a folder; returns the result of `fill`. */
export async function withShop(fill, use) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-web-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port), POSTERN_VAR_DIR: folder, DATABASE_URL: undefined, RUST_LOG: 'warn' };
  const filled = fill(folder, env);
  const server = spawn(join(release, 'postern'), ['serve'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    while (!(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) {
      if (server.exitCode !== null) throw new Error('the server ended');
      await new Promise((later) => setTimeout(later, 50));
    }
    await use(url, filled);
  } finally {
    if (server.exitCode === null) {
      const gone = new Promise((done) => server.once('exit', done));
      server.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function signIn(page, url, { email, password }) {
  await page.goto(`${url}/login?lang=en`);
  await page.getByLabel(text('auth', 'email'), { exact: true }).fill(email);
  await page.getByLabel(text('auth', 'password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: text('auth', 'login.submit') }).click();
  await page.waitForURL((at) => at.pathname !== '/login');
}
