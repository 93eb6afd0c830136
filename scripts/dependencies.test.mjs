// Tests the check of dependencies: it finds unused and undeclared ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('dependencies.mjs', import.meta.url));

/** The output of the check for a repository with these files. */
function check(files) {
  const root = mkdtempSync(join(tmpdir(), 'dependencies-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return spawnSync('node', [script, root], { encoding: 'utf8' }).stderr.trim();
  } finally {
    rmSync(root, { recursive: true });
  }
}

const crate = (dependencies) => `[package]\nname = "a"\n\n${dependencies}\n`;

test('an unused crate is found in every table', () => {
  for (const table of ['dependencies', 'dev-dependencies', "target.'cfg(unix)'.dependencies"]) {
    const toml = crate(`[${table}]\nserde-json = "1"\n\n[features]\nother = []`);
    assert.equal(check({ 'a/Cargo.toml': toml, 'a/src/lib.rs': '' }), 'a: serde-json is used nowhere', table);
    assert.equal(check({ 'a/Cargo.toml': toml, 'a/tests/b.rs': 'fn f() { serde_json::json!({}) }' }), '');
  }
  const own = crate('[dependencies.serde-json]\nversion = "1"\noptional = true');
  assert.equal(check({ 'a/Cargo.toml': own, 'a/src/lib.rs': '' }), 'a: serde-json is used nowhere');
});

test('every use of a crate counts, but not comments and longer names', () => {
  const toml = crate('[dependencies]\nserde.workspace = true');
  for (const code of ['use serde::Deserialize;', 'use serde as s;', 'extern crate serde;', '#[serde::skip]\nstruct A;']) {
    assert.equal(check({ 'a/Cargo.toml': toml, 'a/src/lib.rs': code }), '', code);
  }
  for (const code of ['// serde::Deserialize', '/// See https://x.y and serde::Deserialize', 'use serde_json::Value;', 'use my_serde::A;']) {
    assert.equal(check({ 'a/Cargo.toml': toml, 'a/src/lib.rs': code }), 'a: serde is used nowhere', code);
  }
});

test('a crate inside another crate is checked separately', () => {
  const found = check({
    'a/Cargo.toml': crate('[dependencies]\nserde = "1"'),
    'a/src/lib.rs': '',
    'a/inner/Cargo.toml': crate('[dependencies]\nserde = "1"'),
    'a/inner/src/lib.rs': 'use serde::Deserialize;',
  });
  assert.equal(found, 'a: serde is used nowhere');
});

test('an unused workspace dependency is found', () => {
  const files = { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n\n[workspace.dependencies]\nserde = "1"\n', 'a/src/lib.rs': 'use serde::A;' };
  assert.equal(
    check({ ...files, 'a/Cargo.toml': crate('') }),
    ".: serde of the workspace's dependencies is taken by no crate",
  );
  assert.equal(check({ ...files, 'a/Cargo.toml': crate('[dependencies]\nserde.workspace = true') }), '');
});

// This repository's exceptions do not apply to the small ones here.
const ofFront = (said) => said.split('\n').filter((line) => line && !line.includes('is no dependency')).join('\n');
const front = (manifest, files) =>
  ofFront(
    check({
      'frontend/package.json': JSON.stringify(manifest),
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`frontend/${name}`, text])),
    }),
  );

test('unused and undeclared packages are found', () => {
  const manifest = { dependencies: { react: '1', '@a/b': '1' } };
  assert.equal(front(manifest, { 'src/a.ts': "import type {\n  A,\n} from '@a/b/c';\n" }), 'frontend: react is used nowhere');
  for (const code of ["import 'react';", "export { a } from 'react';", "const a = () => import('react');", "require('react');"]) {
    assert.equal(front({ dependencies: { react: '1' } }, { 'src/a.tsx': code }), '', code);
    assert.match(front({}, { 'src/a.tsx': code }), /react is imported by src\/a\.tsx and named by no package\.json/);
  }
  assert.equal(front({ dependencies: { '@a/b': '1' } }, { 'src/a.css': 'a { src: url("@a/b/c.woff2"); }' }), '');
  assert.equal(front({}, { 'src/a.ts': "import '@/b';\nimport './c';\nimport 'node:fs';\nimport x from '@postern/core';\n" }), '');
});

test('commands of scripts count as used, strings that look like imports do not', () => {
  assert.equal(front({ devDependencies: { vite: '1' }, scripts: { build: 'vite build' } }, {}), '');
  assert.equal(front({}, { 'e2e/a.ts': "test('a mail from ' + 'somebody', () => {});\n" }), '');
});

test('imports of the app must not be devDependencies; those of tests may be', () => {
  const manifest = { devDependencies: { react: '1' } };
  const code = "import 'react';";
  assert.match(front(manifest, { 'src/a.ts': code }), /react is imported by src\/a\.ts, so it is no devDependency/);
  for (const name of ['src/a.test.ts', 'src/test/a.ts', 'e2e/a.ts', 'vite.config.ts']) assert.equal(front(manifest, { [name]: code }), '', name);
});

test('an exception that is used or not a dependency is refused', () => {
  const found = check({ 'frontend/package.json': JSON.stringify({ devDependencies: { jsdom: '1' } }), 'frontend/src/a.test.ts': "import 'jsdom';" });
  assert.match(found, /jsdom is used: take it off the exceptions/);
  assert.match(found, /binaryen is no dependency: take it off the exceptions/);
});
