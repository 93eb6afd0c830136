// Checks that every dependency has an allowed licence, and comes from crates.io or the npm registry:
//   node scripts/licences.mjs [metadata.json] [package-lock.json…]
// Without arguments it asks cargo, for the native and the browser targets, and reads the repository's lock files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const LOCKS = [
  'frontend/package-lock.json',
  'bench/package-lock.json',
  'scripts/clients/package-lock.json',
  'docs/package-lock.json',
];

/** Licences that allow redistribution as part of the product, by SPDX id. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'CDLA-Permissive-2.0',
  'ISC',
  'MIT',
  'MIT-0',
  // For separate files that are redistributed unchanged.
  'MPL-2.0',
  // Fonts.
  'OFL-1.1',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);
/** Exceptions that extend their licence. */
const MORE = new Set(['LLVM-exception']);
/** Licences of packages that do not declare one in metadata: this one says "BSD" and has wreck's text. */
const SAID_ELSEWHERE = { 'parse-cache-control': 'BSD-3-Clause' };

/** Whether an SPDX expression is satisfied: one of `A OR B`, both of `A AND B`. A slash is an old form of `OR`. */
export function isAllowed(expression) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const either = () => {
    let met = both();
    while (tokens[at] === 'OR') {
      at += 1;
      const other = both();
      met ||= other;
    }
    return met;
  };
  const both = () => {
    let met = one();
    while (tokens[at] === 'AND') {
      at += 1;
      const other = one();
      met &&= other;
    }
    return met;
  };
  const one = () => {
    const token = tokens[at];
    at += 1;
    if (token === '(') {
      const met = either();
      if (tokens[at] !== ')') throw new Error(`no SPDX expression: ${expression}`);
      at += 1;
      return met;
    }
    if (!token || token === ')') throw new Error(`no SPDX expression: ${expression}`);
    if (tokens[at] !== 'WITH') return ALLOWED.has(token);
    at += 2;
    return ALLOWED.has(token) && MORE.has(tokens[at - 1]);
  };
  const met = either();
  if (at !== tokens.length) throw new Error(`no SPDX expression: ${expression}`);
  return met;
}

/** The problem with a licence, if any. */
function licenceProblem(licence) {
  if (!licence) return 'says no licence';
  try {
    return isAllowed(licence) ? undefined : `has a licence that is not allowed: ${licence}`;
  } catch {
    return `says a licence that cannot be read: ${licence}`;
  }
}

export function problemsOfCrates({ packages, workspace_root: root }) {
  const problems = [];
  for (const { name, version, license, source, manifest_path: manifest } of packages) {
    const refuse = (text) => problems.push(`${name} ${version} ${text}`);
    const isOurs = !source && !relative(root, manifest).startsWith('..');
    if (!isOurs && !source?.startsWith('registry+')) refuse('is not from the registry of crates');
    const problem = licenceProblem(license);
    if (problem) refuse(problem);
  }
  return problems;
}

export function problemsOfPackages({ packages }) {
  const problems = [];
  for (const [place, { version, license, resolved, integrity, link }] of Object.entries(packages)) {
    if (place === '') continue;
    const name = place.replace(/^.*node_modules\//, '');
    const refuse = (text) => problems.push(`${name} ${version} ${text}`);
    // Without a URL it comes from the configured npm registry, and the digest identifies it.
    const isFromRegistry =
      resolved === undefined || (typeof resolved === 'string' && /^https:\/\/[^#]+\.tgz$/.test(resolved));
    if (link || !place.includes('node_modules/') || !isFromRegistry) refuse('is not from the npm registry');
    if (!integrity) refuse('has no digest');
    const problem = licenceProblem(license ?? SAID_ELSEWHERE[name]);
    if (problem) refuse(problem);
  }
  return problems;
}

/** The product's targets. Cargo downloads their crates, as a build would. */
const PLATFORMS = ['x86_64-unknown-linux-gnu', 'wasm32-unknown-unknown'];

function main(args) {
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const isMetadata = (path) => basename(path) !== 'package-lock.json';
  const metadata = args.length
    ? args.filter(isMetadata).map(read)
    : PLATFORMS.map((platform) =>
        JSON.parse(
          execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--filter-platform', platform], {
            cwd: repository,
            encoding: 'utf8',
            maxBuffer: 1 << 28,
            stdio: ['ignore', 'pipe', 'inherit'],
          }),
        ),
      );
  const locks = args.length ? args.filter((path) => !isMetadata(path)) : LOCKS.map((lock) => join(repository, lock));
  const problems = [
    ...metadata.flatMap(problemsOfCrates),
    ...locks.flatMap((lock) =>
      problemsOfPackages(read(lock)).map((problem) => `${relative(repository, lock).split(sep).join('/')}: ${problem}`),
    ),
  ];
  for (const problem of problems) console.error(problem);
  process.exit(problems.length ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
