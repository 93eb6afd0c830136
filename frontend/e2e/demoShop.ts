// Fills one demo shop for all files of a run; each file serves a copy of it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const SERVER = process.env.POSTERN_BINARY ?? join(ROOT, 'target/debug/postern');

/** Where `setup` tells the files of the run what it filled. */
const FOLDER = 'E2E_DEMO_FOLDER';
const DATABASE = 'E2E_DEMO_DATABASE';

/** Runs a statement on the PostgreSQL of TEST_DATABASE_URL. */
export function psql(statement: string): void {
  execFileSync('psql', [process.env.TEST_DATABASE_URL ?? '', '-qc', statement]);
}

/** The address of a database on the PostgreSQL of TEST_DATABASE_URL. */
export function urlOf(database: string | undefined): string | undefined {
  return database && process.env.TEST_DATABASE_URL?.replace(/\/[^/]*$/, `/${database}`);
}

/** Before all files: fills the shop, on SQLite or on the PostgreSQL of TEST_DATABASE_URL. Returns what removes it. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'postern-e2e-demo-'));
  const database = process.env.TEST_DATABASE_URL ? `e2e_${process.pid}` : undefined;
  if (database) psql(`CREATE DATABASE ${database}`);
  const env = { ...process.env, POSTERN_VAR_DIR: folder, DATABASE_URL: urlOf(database) };
  execFileSync(SERVER, ['demo'], { cwd: ROOT, env, stdio: 'ignore' });
  process.env[FOLDER] = folder;
  if (database) process.env[DATABASE] = database;
  return () => {
    if (database) psql(`DROP DATABASE ${database} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Copies the filled shop to a folder, and to a new database if it is on PostgreSQL. */
export function copyDemo(folder: string, database: string | undefined): void {
  const filled = process.env[FOLDER];
  if (!filled) throw new Error('no demo shop has been filled: call setup first');
  cpSync(filled, folder, { recursive: true });
  if (database) psql(`CREATE DATABASE ${database} TEMPLATE ${process.env[DATABASE]}`);
}
