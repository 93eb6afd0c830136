// Checks that every declared dependency is used, and every imported package is declared: node scripts/dependencies.mjs [repository]
// Rust: each crate's Cargo.toml and sources. npm: each package.json, and the scripts and styles around it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Needed but not named in sources; an entry that is used, or is not a dependency, is an error. */
const UNNAMED = {
  frontend: {
    '@biomejs/biome': 'a command: format and lint',
    '@testing-library/dom': 'what @testing-library/react and user-event stand on',
    '@types/node': 'types of Node, for tsc',
    '@types/react': 'types of React, for tsc',
    '@types/react-dom': 'types of React, for tsc',
    binaryen: 'a command: wasm-opt',
    'country-flag-icons': 'its pictures are copied by vite.config.ts',
    jsdom: 'the environment of the unit tests',
    'openapi-typescript': 'a command: types of the API',
    typescript: 'a command: tsc',
  },
  server: {
    'openssl-sys': 'compiles OpenSSL into portable builds',
    'pq-sys': 'compiles the client of PostgreSQL into portable builds',
  },
  bench: {
    'date-fns': 'what date-fns-tz stands on',
  },
  'scripts/clients': {
    '@hey-api/openapi-ts': 'a command: a client from the description of the API',
    '@types/node': 'types of Node, for tsc',
    typescript: 'a command: tsc',
  },
};
/** Files with example programs for customers as text, which have their own imports. */
const TEXTS = [
  'frontend/src/features/static-residential-proxies/setup/snippets.ts',
  'frontend/src/features/webhooks/VerifyGuide.tsx',
];
/** Other folders with sources of a package.json, which import its packages by path. */
const NPM_SOURCES = { frontend: ['.'], bench: ['.', '../scripts'], 'scripts/clients': ['.'], docs: ['.', '../scripts'] };
/** Our own import aliases. */
const ALIASES = ['@/', '@postern/'];
const NOT_OURS = new Set(['node_modules', 'dist', 'cache', 'target', 'pkg', '.git']);

const repository = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const problems = [];
const refuse = (folder, text) => problems.push(`${relative(repository, folder) || '.'}: ${text}`);

function filesUnder(folder, ending, found = []) {
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !NOT_OURS.has(entry.name)) filesUnder(path, ending, found);
    else if (entry.isFile() && ending.test(entry.name)) found.push(path);
  }
  return found;
}

/** Compares declared with used dependencies, except for exceptions. */
function compare(folder, named, isUsed) {
  const exceptions = UNNAMED[relative(repository, folder)] ?? {};
  for (const name of named) {
    if (isUsed(name) && name in exceptions) refuse(folder, `${name} is used: take it off the exceptions in scripts/dependencies.mjs`);
    if (!isUsed(name) && !(name in exceptions)) refuse(folder, `${name} is used nowhere`);
  }
  for (const name of Object.keys(exceptions)) {
    if (!named.has(name)) refuse(folder, `${name} is no dependency: take it off the exceptions in scripts/dependencies.mjs`);
  }
}

/** The names in `[dependencies]` and similar tables, including quoted and dotted keys. */
function rustDependencies(toml) {
  const names = new Set();
  let isIn = false;
  for (const line of toml.split('\n')) {
    const table = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (table !== undefined) {
      const own = /^(?:target\..+\.)?(?:dev-|build-)?dependencies(?:\.([\w-]+))?$/.exec(table);
      isIn = own !== null && own[1] === undefined;
      if (own?.[1]) names.add(own[1]);
    } else if (isIn) {
      const name = /^"?([A-Za-z][\w-]*)"?\s*(?:=|\.)/.exec(line)?.[1];
      if (name) names.add(name);
    }
  }
  return names;
}

const tomls = filesUnder(repository, /^Cargo\.toml$/);
const crates = tomls.map(dirname);
const used = new Set();
for (const toml of tomls) {
  const folder = dirname(toml);
  const text = readFileSync(toml, 'utf8');
  if (!/^\s*\[package\]/m.test(text)) continue;
  const inner = crates.filter((other) => other.startsWith(`${folder}/`));
  const code = filesUnder(folder, /\.rs$/)
    .filter((file) => !inner.some((other) => file.startsWith(`${other}/`)))
    .map((file) => readFileSync(file, 'utf8').replace(/(^|[^:"])\/\/.*$/gm, '$1'))
    .join('\n');
  const named = rustDependencies(text);
  for (const name of named) used.add(name);
  compare(folder, named, (name) => new RegExp(`\\b${name.replaceAll('-', '_')}(?:::|\\s*;|\\s+as\\s|!)`).test(code));
}
const workspace = /\[workspace\.dependencies\]([\s\S]*?)(?=\n\[|$)/.exec(
  existsSync(join(repository, 'Cargo.toml')) ? readFileSync(join(repository, 'Cargo.toml'), 'utf8') : '',
)?.[1];
for (const [, name] of (workspace ?? '').matchAll(/^"?([A-Za-z][\w-]*)"?\s*=/gm)) {
  if (!used.has(name)) refuse(repository, `${name} of the workspace's dependencies is taken by no crate`);
}

const packageOf = (path) => path.split('/').slice(0, path.startsWith('@') ? 2 : 1).join('/');
const isPackage = (path) =>
  !/^[./#]|^node:|^(?:data|https?|virtual):/.test(path) &&
  !builtinModules.includes(packageOf(path)) &&
  !ALIASES.some((alias) => path.startsWith(alias));

/** The path below a folder, if it is in it. */
const pathInside = (folder, path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined);

const OF_STYLES = /(?:@import\s+|url\()["']([^"']+)["']/g;
const OF_SCRIPTS = /(?:^(?:import|export)\s[^;'"`]*?from\s*|^import\s*|\bimport\(\s*|\brequire(?:\.resolve)?\(\s*)['"]([^'"\n]+)['"]/gm;

for (const [name, places] of Object.entries(NPM_SOURCES)) {
  const folder = join(repository, name);
  if (!existsSync(join(folder, 'package.json'))) continue;
  const { dependencies = {}, devDependencies = {}, scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const imported = new Map();
  for (const place of places) {
    for (const file of filesUnder(join(folder, place), /\.(?:m?[jt]sx?|css)$/)) {
      if (TEXTS.includes(relative(repository, file))) continue;
      const found = readFileSync(file, 'utf8').matchAll(file.endsWith('.css') ? OF_STYLES : OF_SCRIPTS);
      for (const [, path] of found) {
        // Files outside a package's folder import its packages by path.
        const own = place === '.' ? path : pathInside(join(folder, 'node_modules'), resolve(dirname(file), path));
        if (own && isPackage(own) && !imported.has(packageOf(own))) imported.set(packageOf(own), file);
      }
    }
  }
  const commands = Object.values(scripts).join(' ').split(/[\s&|;]+/);
  compare(folder, named, (one) => imported.has(one) || commands.includes(one));
  for (const [one, file] of imported) {
    const place = relative(folder, file);
    if (!named.has(one)) refuse(folder, `${one} is imported by ${place} and named by no package.json`);
    else if (!(one in dependencies) && place.startsWith('src/') && !/\.test\.tsx?$|^src\/test\//.test(place)) {
      refuse(folder, `${one} is imported by ${place}, so it is no devDependency`);
    }
  }
}
for (const line of problems.sort()) console.error(line);
process.exit(problems.length ? 1 : 0);
