// Prints the licences of everything that is in a release: crates of the server and the gate, packages of the front end. A text that many share is
// printed once.
//   node scripts/licence-texts.mjs >third-party-licences.txt
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const IS_LICENCE = /^(licen[cs]e|copying|notice|unlicen[cs]e|ofl)/i;
const BINARIES = ['postern-server', 'postern-gate', 'postern-wasm', 'postern-screens', 'postern-hot'];

function crates() {
  const args = ['metadata', '--format-version', '1', '--locked', '--features', 'postern-server/portable'];
  const { packages, resolve } = JSON.parse(
    execFileSync('cargo', args, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const byId = new Map(packages.map((one) => [one.id, one]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const waiting = packages.filter(({ name }) => BINARIES.includes(name)).map(({ id }) => id);
  for (let id = waiting.pop(); id; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    // What only tests and build scripts use is not in a binary.
    const used = nodes.get(id).deps.filter(({ dep_kinds: kinds }) => kinds.some(({ kind }) => kind === null));
    waiting.push(...used.map(({ pkg }) => pkg));
  }
  return [...found]
    .map((id) => byId.get(id))
    .filter(({ source }) => source)
    .map(({ name, version, license, manifest_path: manifest }) => ({ name, version, license, folder: dirname(manifest) }));
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(repository, 'frontend/package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([place, { dev, optional }]) => place !== '' && !dev && !optional)
    .map(([place, { version, license }]) => ({
      name: place.replace(/^.*node_modules\//, ''),
      version,
      license,
      folder: join(repository, 'frontend', place),
    }));
}

const textsOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && IS_LICENCE.test(entry.name))
        .map(({ name }) => readFileSync(join(folder, name), 'utf8').replace(/\r/g, '').trim())
    : [];

const all = [...crates(), ...npmPackages()].sort((one, other) => (one.name < other.name ? -1 : 1));
const users = new Map();
const fonts = { name: 'Noto and Poppins fonts', version: '', license: 'OFL-1.1', folder: join(repository, 'server/fonts') };
for (const { name, version, license, folder } of [...all, fonts]) {
  for (const text of textsOf(folder)) users.set(text, [...(users.get(text) ?? []), `${name} ${version}`.trim()]);
}
console.log('Postern contains these works of others, under these licences:\n');
for (const { name, version, license } of [...all, fonts]) console.log(`${name} ${version}: ${license}`.replace(' :', ':'));
for (const [text, names] of users) console.log(`\n${'='.repeat(100)}\n${names.join(', ')}\n\n${text}`);
