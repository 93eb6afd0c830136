// Checks that source files stay at a readable length: node scripts/file-sizes.mjs [repository]
// Exceptions are listed here with their reason; one that is no longer needed is an error.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST_LINES = 500;
const FOLDERS = ['server', 'gate', 'core', 'wasm', 'frontend', 'scripts'];
const SOURCES = /\.(?:rs|ts|tsx|mjs|js|css|sh)$/;
/** Built or installed files. */
const NOT_OURS = new Set(['node_modules', 'dist', 'target', 'pkg']);
const LARGER = {
  'frontend/src/api/schema.gen.ts': 'generated from the description of the API',
  'server/src/schema.rs': 'the tables of the database, one after another, and nothing else',
};

const repository = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

function* sourcesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !NOT_OURS.has(entry.name)) yield* sourcesUnder(path);
    else if (entry.isFile() && SOURCES.test(entry.name)) yield path;
  }
}

const problems = [];
const unneeded = new Set(Object.keys(LARGER));
const folders = readdirSync(repository, { withFileTypes: true }).filter(({ name }) => FOLDERS.includes(name));
for (const path of folders.flatMap(({ name }) => [...sourcesUnder(join(repository, name))]).sort()) {
  const lines = readFileSync(path, 'utf8').split('\n').length - 1;
  if (lines <= MOST_LINES) continue;
  const name = relative(repository, path);
  if (!unneeded.delete(name)) problems.push(`${name} has ${lines} lines; split it by verb before it has more than ${MOST_LINES}`);
}
for (const name of unneeded) {
  problems.push(`${name} is not above ${MOST_LINES} lines: take it off the list in scripts/file-sizes.mjs`);
}
for (const line of problems) console.error(line);
process.exit(problems.length ? 1 : 0);
