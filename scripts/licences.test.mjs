// Tests the check of licences: it evaluates SPDX expressions correctly, and refuses other sources.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { isAllowed, problemsOfCrates, problemsOfPackages } from './licences.mjs';

test('OR needs one licence, AND needs both', () => {
  for (const [expression, expected] of [
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['MIT OR GPL-3.0-only', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT/Apache-2.0', true],
    ['GPL-2.0-only/AGPL-3.0-only', false],
    ['(MIT OR GPL-3.0-only) AND Unicode-3.0', true],
    ['MIT OR GPL-3.0-only AND Unicode-3.0', true],
    ['(MIT OR Apache-2.0) AND GPL-3.0-only', false],
    ['Apache-2.0 WITH LLVM-exception', true],
    ['Apache-2.0 WITH Some-exception', false],
    ['GPL-3.0-only WITH LLVM-exception', false],
    ['LicenseRef-Ours', false],
    ['UNLICENSED', false],
  ]) {
    assert.equal(isAllowed(expression), expected, expression);
  }
  for (const wrong of ['', '()', '(MIT', 'MIT)', 'MIT OR', 'OR MIT MIT', 'MIT Apache-2.0']) assert.throws(() => isAllowed(wrong), wrong);
});

const crate = (change) => ({
  name: 'a',
  version: '1.0.0',
  license: 'MIT',
  source: 'registry+https://index.example',
  manifest_path: '/home/registry/a/Cargo.toml',
  ...change,
});
const ofCrate = (change) => problemsOfCrates({ workspace_root: '/repository', packages: [crate(change)] });

test('a crate must come from the registry or this repository, not from git or another folder', () => {
  assert.deepEqual(ofCrate({}), []);
  assert.deepEqual(ofCrate({ source: null, manifest_path: '/repository/core/Cargo.toml' }), []);
  for (const change of [
    { source: 'git+https://git.example/a#abc' },
    { source: 'sparse+https://index.example' },
    { source: null, manifest_path: '/elsewhere/Cargo.toml' },
    { source: null, manifest_path: '/repository-of-others/Cargo.toml' },
  ]) {
    assert.deepEqual(ofCrate(change), ['a 1.0.0 is not from the registry of crates'], JSON.stringify(change));
  }
});

test('a crate without an allowed licence is named', () => {
  assert.deepEqual(ofCrate({ license: null }), ['a 1.0.0 says no licence']);
  assert.deepEqual(ofCrate({ license: 'AGPL-3.0-only' }), ['a 1.0.0 has a licence that is not allowed: AGPL-3.0-only']);
  assert.deepEqual(ofCrate({ license: 'MIT,Apache' }), ['a 1.0.0 has a licence that is not allowed: MIT,Apache']);
  assert.deepEqual(ofCrate({ license: 'see the file' }), ['a 1.0.0 says a licence that cannot be read: see the file']);
});

const ofPackage = (change, place = 'node_modules/@a/b') =>
  problemsOfPackages({ packages: { '': { name: 'ours' }, [place]: { version: '1.0.0', license: 'MIT', integrity: 'sha512-x', ...change } } });

test('a package must come by https with a digest, not from a folder or repository', () => {
  assert.deepEqual(ofPackage({}), []);
  assert.deepEqual(ofPackage({ resolved: 'https://registry.example/@a/b/-/b-1.0.0.tgz' }), []);
  assert.deepEqual(ofPackage({ integrity: undefined }), ['@a/b 1.0.0 has no digest']);
  for (const resolved of [
    'http://registry.example/b-1.0.0.tgz',
    'git+ssh://git@git.example/a/b.git#abc',
    'git+https://git.example/a/b.git#abc',
    'file:../b',
    '../b',
    true,
  ]) {
    assert.deepEqual(ofPackage({ resolved }), ['@a/b 1.0.0 is not from the npm registry'], String(resolved));
  }
  assert.deepEqual(ofPackage({ link: true }), ['@a/b 1.0.0 is not from the npm registry']);
  assert.deepEqual(ofPackage({}, '../b'), ['../b 1.0.0 is not from the npm registry']);
  assert.deepEqual(ofPackage({ license: 'SSPL-1.0' }, 'node_modules/a/node_modules/b'), [
    'b 1.0.0 has a licence that is not allowed: SSPL-1.0',
  ]);
});

test('one problem is enough for the check to fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  const run = (license) => {
    writeFileSync(join(folder, 'metadata.json'), JSON.stringify({ workspace_root: '/repository', packages: [crate({ license })] }));
    const script = fileURLToPath(new URL('licences.mjs', import.meta.url));
    return spawnSync('node', [script, join(folder, 'metadata.json')], { encoding: 'utf8' });
  };
  try {
    assert.equal(run('MIT').status, 0);
    const { status, stderr } = run('SSPL-1.0');
    assert.equal(status, 1);
    assert.match(stderr, /a 1\.0\.0 has a licence that is not allowed/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
