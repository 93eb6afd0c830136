// Tests the check of migrations: what would hurt servers of the version before is found, and what does not is let through.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('migrations.mjs', import.meta.url));

/** What the check says of one migration. */
function check(sql, { name = '0031_next', metadata } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'up.sql'), sql);
    if (metadata) writeFileSync(join(root, name, 'metadata.toml'), metadata);
    return spawnSync('node', [script, root], { encoding: 'utf8' }).stderr.trim();
  } finally {
    rmSync(root, { recursive: true });
  }
}

const HARMFUL = {
  'DROP TABLE orders;': /drops/,
  'ALTER TABLE orders DROP COLUMN note;': /drops/,
  'ALTER TABLE orders RENAME COLUMN note TO remark;': /renames/,
  'ALTER TABLE orders ALTER COLUMN note TYPE BIGINT;': /type/,
  'ALTER TABLE orders ALTER note SET DATA TYPE BIGINT;': /type/,
  'ALTER TABLE orders ALTER COLUMN note SET NOT NULL;': /empty/,
  'ALTER TABLE orders ALTER COLUMN note DROP NOT NULL;': /empty/,
  'ALTER TABLE orders ADD COLUMN note TEXT NOT NULL;': /default/,
  'ALTER TABLE orders ADD note TEXT NOT NULL;': /default/,
  'ALTER TABLE orders ADD CONSTRAINT few CHECK (quantity < 9);': /NOT VALID/,
  'ALTER TABLE orders ADD FOREIGN KEY (user_id) REFERENCES users;': /NOT VALID/,
  'ALTER TABLE orders ADD CONSTRAINT one UNIQUE (number);': /index under a lock/,
  'CREATE INDEX orders_by_note ON orders (note);': /CONCURRENTLY/,
  'CREATE UNIQUE INDEX orders_by_note ON orders (note);': /CONCURRENTLY/,
  'CREATE INDEX CONCURRENTLY orders_by_note ON orders (note);': /outside of a transaction/,
  "UPDATE orders SET note = '';": /pieces/,
  'DELETE FROM orders;': /pieces/,
  'LOCK TABLE orders;': /locks/,
};

test('what the version before does not survive is found, with its line', () => {
  for (const [sql, said] of Object.entries(HARMFUL)) {
    assert.match(check(sql), said, sql);
    assert.match(check(`CREATE TABLE notes (id BIGINT);\n\n-- of orders\n${sql.toLowerCase()}`), /up\.sql:4: /, sql);
  }
});

test('what it survives is let through', () => {
  const harmless = [
    'CREATE TABLE notes (id BIGINT PRIMARY KEY, text TEXT NOT NULL, CHECK (id > 0)); CREATE INDEX notes_by_text ON notes (text);',
    'ALTER TABLE orders ADD COLUMN note TEXT;',
    "-- The ledger's reference.\nCREATE TABLE arrivals (id BIGINT);\n-- The shop's.\nCREATE INDEX arrivals_by_id ON arrivals (id);",
    "ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE orders ADD COLUMN note TEXT DEFAULT '' NOT NULL;",
    'ALTER TABLE orders ADD CONSTRAINT few CHECK (quantity < 9) NOT VALID;',
    "INSERT INTO limits (limit_name, most) VALUES ('drop table; rename', 0);",
    '-- DROP TABLE orders;\nALTER TABLE limits DROP CONSTRAINT limits_most_check;',
    "CREATE FUNCTION count_notes() RETURNS trigger AS $$ BEGIN UPDATE totals SET n = n + 1; DELETE FROM totals; RETURN NULL; END $$ LANGUAGE plpgsql;",
    '-- the version before: has no row in this table yet\nDELETE FROM limits;',
  ];
  for (const sql of harmless) assert.equal(check(sql), '', sql);
  assert.equal(check('CREATE INDEX CONCURRENTLY a ON orders (note);', { metadata: 'run_in_transaction = false' }), '');
});

test('migrations from before the first release are not judged', () => {
  assert.equal(check('DROP TABLE orders;', { name: '0030_old' }), '');
});

test('this repository passes', () => {
  assert.equal(spawnSync('node', [script], { encoding: 'utf8' }).stderr, '');
});
