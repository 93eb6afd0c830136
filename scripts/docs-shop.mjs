// A demo shop in a folder of its own, for the commands of the documentation: see docs-commands.mjs
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));
const programs = resolve(repository, process.env.CARGO_TARGET_DIR ?? 'target', 'debug');
const LONGEST_START_MS = 20_000;

export function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

/** Waits until a check answers true; fails with what is in the log. */
export async function until(what, log, check) {
  for (const end = Date.now() + LONGEST_START_MS; Date.now() < end; await sleep(50)) {
    if (await check().catch(() => false)) return;
  }
  throw new Error(
    `${what} takes longer than ${LONGEST_START_MS / 1000} s:\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`,
  );
}

export class Shop {
  #running = [];

  static async open() {
    const shop = new Shop();
    shop.folder = mkdtempSync(join(tmpdir(), 'postern-docs-'));
    shop.work = join(shop.folder, 'work');
    for (const path of ['work', 'bin', 'work/target']) mkdirSync(join(shop.folder, path));
    for (const name of ['postern', 'postern-gate']) symlinkSync(join(programs, name), join(shop.folder, 'bin', name));
    symlinkSync(join(shop.folder, 'bin'), join(shop.work, 'target/release'));
    shop.port = await freePort();
    shop.url = `http://127.0.0.1:${shop.port}`;
    // Nothing of the caller's settings counts.
    const inherited = Object.entries(process.env).filter(([name]) => !/^(?:POSTERN_|DATABASE_URL$|PORT$)/.test(name));
    shop.env = {
      ...Object.fromEntries(inherited),
      PATH: `${join(shop.folder, 'bin')}:${process.env.PATH}`,
      POSTERN_VAR_DIR: join(shop.folder, 'demo'),
      POSTERN_LOCALES_DIR: join(repository, 'locales'),
      POSTERN_FONTS_DIR: join(repository, 'server/fonts'),
      POSTERN_TRANSFER_DETAILS: 'Example Bank',
      PORT: String(shop.port),
      RUST_LOG: 'warn',
      RUST_BACKTRACE: '0',
    };
    execFileSync('postern', ['demo'], { env: shop.env, cwd: shop.work, stdio: 'ignore' });
    shop.passwords = JSON.parse(readFileSync(join(shop.env.POSTERN_VAR_DIR, 'demo-accounts.json'), 'utf8'));
    const end = await shop.runUntil(
      'postern serve',
      shop.env,
      async () => (await fetch(`${shop.url}/health/ready`)).ok,
    );
    shop.#running.push(end);
    return shop;
  }

  /** Starts commands that go on, and waits until a check answers true. Resolves to what ends them. */
  async runUntil(script, env, check) {
    const log = join(this.folder, `log-${Math.random().toString(36).slice(2)}`);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env,
      cwd: this.work,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const file = createWriteStream(log);
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    const ended = new Promise((done) => child.on('close', done));
    const end = async () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await ended;
    };
    try {
      await until(script, log, () => check(existsSync(log) ? readFileSync(log, 'utf8') : ''));
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  }

  /** Runs commands to their end; resolves to what they print. `codes` are the exit codes that may be. */
  run(script, env = this.env, codes = [0]) {
    return new Promise((done, fail) => {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
        env,
        cwd: this.work,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
      child.on('close', (code) =>
        codes.includes(code) ? done(output) : fail(new Error(`exit code ${code}\n${script}\n${output}`)),
      );
    });
  }

  async ask(call, body, token) {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID().replaceAll('-', '') };
    const response = await fetch(`${this.url}/api/${call}`, {
      method: 'POST',
      headers: { ...headers, ...(token && { Token: token }) },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (answer.Code !== 1000) throw new Error(`${call} answered ${JSON.stringify(answer)}`);
    return answer.Data;
  }

  /** A session's token. */
  async signIn(email) {
    const { Token: token } = await this.ask('User/Login', { Email: email, Password: this.passwords[email] });
    return token;
  }

  async close() {
    for (const end of this.#running) await end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
