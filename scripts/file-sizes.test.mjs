// Tests the check of file sizes: it finds files that are too long, and exceptions that are no longer needed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('file-sizes.mjs', import.meta.url));
const lines = (count) => 'x\n'.repeat(count);

/** The output of the check for a repository with these files, without missing exceptions. */
function check(files) {
  const root = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const { stderr } = spawnSync('node', [script, root], { encoding: 'utf8' });
    return stderr.split('\n').filter((line) => line.includes(' has '));
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('501 lines are too many, 500 are not', () => {
  for (const name of ['core/src/a.rs', 'server/tests/api/b.rs', 'frontend/src/ui/c.module.css', 'wasm/d.js', 'scripts/e.sh']) {
    assert.deepEqual(check({ [name]: lines(500) }), []);
    assert.match(check({ [name]: lines(501) }).join(), new RegExp(`${name} has 501 lines`));
  }
});

test('installed and built files, other types and other folders are ignored', () => {
  for (const name of ['frontend/node_modules/a/b.js', 'wasm/pkg/a.js', 'server/target/a.rs', 'core/a.json', 'elsewhere/a.rs']) {
    assert.deepEqual(check({ [name]: lines(501) }), [], name);
  }
});

test('an exception is refused when it is no longer needed', () => {
  assert.deepEqual(check({ 'server/src/schema.rs': lines(501) }), []);
  const root = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    const { status, stderr } = spawnSync('node', [script, root], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /server\/src\/schema\.rs is not above 500 lines: take it off the list/);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('this repository passes', () => {
  const { status, stderr } = spawnSync('node', [script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
