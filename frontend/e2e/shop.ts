// Test environment: a real server with its own database, and a real browser.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { copyDemo, psql, ROOT, SERVER, urlOf } from './demoShop';

/** The first that is installed is used. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Slows the browser down by this factor, to reveal missing waits. */
const SLOWER = Number(process.env.SLOWER ?? 1);

export type Language = 'en' | 'zh';

export async function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

type Settings = Record<string, string>;
/** Settings, or what finds them once the shop's address is known. */
type GivenSettings = Settings | ((url: string) => Promise<Settings>);

export class Shop {
  private secondsAhead = 0;

  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    private server: ChildProcess | undefined,
    private readonly database: string | undefined,
  ) {}

  /** Serves a copy of the demo shop on a free port, with custom settings if given: on SQLite, or on the PostgreSQL of TEST_DATABASE_URL. */
  static async open(settings: GivenSettings = {}): Promise<Shop> {
    const shop = await Shop.prepared(settings);
    copyDemo(shop.folder, shop.database);
    await shop.serve();
    return shop;
  }

  /** Opens a new shop with `postern init`, on an empty database; returns it with the link for its first operator. */
  static async openNew(operator: string, settings: Settings = {}): Promise<{ shop: Shop; link: string }> {
    const shop = await Shop.prepared(settings);
    if (shop.database) psql(`CREATE DATABASE ${shop.database}`);
    const told = shop.runs('init', '--operator', operator, '--file', join(shop.folder, 'postern.env'));
    await shop.serve();
    return { shop, link: /http:\S+/.exec(told.slice(told.indexOf('password')))?.[0] ?? '' };
  }

  /** A folder, a port and the name of a database of its own; nothing is in them yet. */
  private static async prepared(settings: GivenSettings): Promise<Shop> {
    const folder = mkdtempSync(join(tmpdir(), 'postern-e2e-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const database = process.env.TEST_DATABASE_URL ? `e2e_${process.pid}_${port}` : undefined;
    const environment = {
      ...process.env,
      PORT: String(port),
      POSTERN_PUBLIC_URL: url,
      POSTERN_VAR_DIR: folder,
      POSTERN_TEST_CLOCK: join(folder, 'clock'),
      DATABASE_URL: urlOf(database),
      RUST_LOG: 'warn',
      ...(typeof settings === 'function' ? await settings(url) : settings),
    };
    return new Shop(url, folder, environment, undefined, database);
  }

  async serve(): Promise<void> {
    this.server = spawn(SERVER, ['serve'], {
      cwd: ROOT,
      env: this.environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (response?.ok) return;
      await new Promise((later) => setTimeout(later, 50));
    }
    throw new Error('the server does not get ready');
  }

  /** Advances the server's clock by this many hours; its jobs then run. */
  passHours(hours: number): void {
    this.secondsAhead += hours * 3_600;
    // Atomically, because the server reads the file whenever it needs the time.
    writeFileSync(join(this.folder, 'clock.new'), String(this.secondsAhead));
    renameSync(join(this.folder, 'clock.new'), join(this.folder, 'clock'));
  }

  /** The server's time. */
  now(): Date {
    return new Date(Date.now() + this.secondsAhead * 1_000);
  }

  /** Text of the newest email with this subject to an address, once it has arrived. */
  async mailTo(address: string, subject: string): Promise<string> {
    const folder = join(this.folder, 'mail');
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const names = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
      const mails = names.map((name) => readFileSync(join(folder, name), 'utf8'));
      const found = mails.find((mail) => mail.includes(`To: ${address}\n`) && mail.includes(`Subject: ${subject}\n`));
      if (found) return found;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`no mail to ${address}: ${subject}`);
  }

  /** Runs an operator command on the shop's database; returns its output. */
  runs(...command: string[]): string {
    return execFileSync(SERVER, command, { cwd: ROOT, env: this.environment, encoding: 'utf8' });
  }

  passwordOf(email: string): string {
    return JSON.parse(readFileSync(join(this.folder, 'demo-accounts.json'), 'utf8'))[email];
  }

  async close(): Promise<void> {
    const server = this.server;
    if (server) {
      const gone = new Promise((done) => server.once('exit', done));
      server.kill('SIGTERM');
      await gone;
    }
    if (this.database) psql(`DROP DATABASE ${this.database} WITH (FORCE)`);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) throw new Error('Chromium is not installed: run scripts/setup.sh test');
  const args =
    '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync';
  return chromium.launch({ executablePath, args: [...args.split(' '), '--disable-component-update'] });
}

/** Texts of a namespace, from the app's files, with numbers formatted as in the app. */
export function texts(language: Language, namespace: string) {
  const file = JSON.parse(readFileSync(join(ROOT, 'locales', language, `${namespace}.json`), 'utf8'));
  return (key: string, parameters: Record<string, string | number> = {}): string => {
    const found = key.split('.').reduce((inner, part) => inner?.[part], file);
    if (typeof found !== 'string') throw new Error(`no text ${namespace}:${key} in ${language}`);
    const written = (value: string | number) =>
      typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
    return Object.entries(parameters).reduce(
      (text, [name, value]) => text.replace(`{{${name}}}`, written(value)),
      found,
    );
  };
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Recorded problems: console errors, grid errors and failed requests. Any of them fails the test. */
  problems: string[];
}

const visits: Visit[] = [];

/** Closes all browser contexts, and returns their problems. */
export async function endVisits(): Promise<string[]> {
  const ended = visits.splice(0);
  const problems = ended.flatMap((one) => one.problems);
  await Promise.all(ended.map(({ context }) => context.close()));
  return problems;
}

export interface Window {
  width?: number;
  height?: number;
  dark?: boolean;
  /** Touch instead of a pointer. */
  touch?: boolean;
}

/** Throttles the CPU, and delays each request by a different time. */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  await context.route('**/*', async (route) => {
    await new Promise((later) => setTimeout(later, Math.random() * 100 * SLOWER));
    await route.continue().catch(() => undefined);
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/** The time zone of visitors' browsers. */
const TIME_ZONE = 'Asia/Shanghai';

/** The day of a time, as screens show it to a visitor: YYYY-MM-DD. */
export const dayOf = (time: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(time);

/** A new visitor, in a browser context of their own. */
export async function visit(browser: Browser, language: Language, window: Window = {}): Promise<Visit> {
  const { width = 1600, height = 1000, dark = false, touch = false } = window;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    timezoneId: TIME_ZONE,
    colorScheme: dark ? 'dark' : 'light',
    isMobile: width <= 768,
    hasTouch: touch,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const problems: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' || text.startsWith('AG Grid:'))
      problems.push(text || `an error without words at ${JSON.stringify(message.location())}`);
  });
  context.on('weberror', (error) => problems.push(error.error().stack || String(error.error()) || 'an uncaught error'));
  context.on('requestfailed', (request) => {
    // A request that the app aborted is not a problem.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`${request.url()} failed`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.url()} answered ${response.status()}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000 * SLOWER);
  if (SLOWER > 1) await slowDown(context, page);
  const made = { page, context, problems };
  visits.push(made);
  return made;
}
