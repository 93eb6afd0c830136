// Tests the search for import cycles: it finds all, and no false ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('circles.mjs', import.meta.url));

/** The output of the search for a folder with these files. */
function search(files) {
  const root = mkdtempSync(join(tmpdir(), 'circles-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const { status, stderr } = spawnSync('node', [script, root], { encoding: 'utf8' });
    return { status, said: stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('two Rust modules that use each other are a cycle, however they are named', () => {
  const lib = 'mod one;\nmod two;\n';
  for (const use of ['use crate::two::Two;', 'use super::two::{Two, Other};', 'use crate::{one, two::Two};']) {
    const found = search({ 'lib.rs': lib, 'one.rs': `${use}\n`, 'two.rs': 'fn f() { crate::one::g() }\n' });
    assert.equal(found.status, 1, use);
    assert.match(found.said, /one\.rs.*two\.rs/);
  }
});

test('a parent and a child that use each other are a cycle', () => {
  const child = 'use super::Shared;\n';
  assert.equal(search({ 'lib.rs': 'mod room;\n', 'room/mod.rs': 'mod child;\nuse child::f;\n', 'room/child.rs': child }).status, 1);
  assert.equal(search({ 'lib.rs': 'mod room;\n', 'room/mod.rs': 'mod child;\n', 'room/child.rs': child }).status, 0);
});

test('two top-level modules that use each other are a cycle, although no two of their files do', () => {
  const files = {
    'lib.rs': 'mod one;\nmod two;\n',
    'one/mod.rs': 'mod calls;\nmod rows;\n',
    'one/calls.rs': 'use crate::two::g;\n',
    'one/rows.rs': '',
    'two.rs': 'use crate::one::rows;\n',
  };
  const found = search(files);
  assert.equal(found.status, 1);
  assert.match(found.said, /2 modules import each other in a circle: one, two/);
  assert.equal(search({ ...files, 'two.rs': '' }).status, 0);
});

test('tests within a file, comments and strings make no cycle', () => {
  const one = 'use crate::two::Two;\n';
  for (const two of ['// crate::one::g\n', 'const T: &str = "crate::one::g";\n', '#[cfg(test)]\nmod tests {\n    use crate::one::g;\n}\n']) {
    assert.equal(search({ 'lib.rs': 'mod one;\nmod two;\n', 'one.rs': one, 'two.rs': two }).status, 0, two);
  }
});

test('TypeScript files that import each other are a cycle, even dynamically, but not by types alone', () => {
  const one = "import { b } from './b';\nexport const a = b;\n";
  const circle = search({ 'a.ts': one, 'b.tsx': "export { a } from '@/a';\nexport const b = 1;\n" });
  assert.equal(circle.status, 1);
  assert.match(circle.said, /a\.ts → b\.tsx → a\.ts|b\.tsx → a\.ts → b\.tsx/);
  assert.equal(search({ 'a.ts': one, 'b.ts': "export const later = () => import('./a');\n" }).status, 1);
  assert.equal(search({ 'a.ts': one, 'b.ts': "import type { a } from './a';\n" }).status, 0);
});
