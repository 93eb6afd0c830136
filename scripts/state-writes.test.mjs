// Tests the search for writers of states: it finds forbidden ones, and no conditions.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('state-writes.mjs', import.meta.url));

/** The result of the search for a file with this code. */
function search(file, code) {
  const root = mkdtempSync(join(tmpdir(), 'states-'));
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), code);
    return spawnSync('node', [script, root]).status;
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('a write outside its file is found, alone and among other columns', () => {
  for (const write of [
    'diesel::update(nodes::table).set(nodes::state.eq("held"))',
    'update.set((nodes::free_at.eq(now), nodes::state.eq("held")))',
    'let row = (orders::total.eq(1), orders::state.eq("paid"));',
    'diesel::update(open).set(payment_rows::state.eq("failed"))',
  ]) {
    assert.equal(search('jobs/nodes.rs', write), 1, write);
  }
});

test('conditions, and writes in the right file, are allowed', () => {
  assert.equal(search('jobs/nodes.rs', 'nodes::table.filter(nodes::state.eq("held")).filter(a.and(nodes::state.eq("b")))'), 0);
  assert.equal(search('nodes/lifecycle.rs', 'update.set(nodes::state.eq("held"))'), 0);
  assert.equal(search('order_rows/rows.rs', 'update.set(nodes::state.eq("held"))'), 1);
});
