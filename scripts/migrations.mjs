// Checks that the version before survives each migration of PostgreSQL, and that none locks a large table for long: node scripts/migrations.mjs [folder]
// Servers are upgraded one after the other, so the old version works on the new schema for a while. CONTRIBUTING says how such a change is made in steps.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('../migrations/postgres', import.meta.url));
/** The first that shops may run while they sell. */
const FIRST = '0031';
/** What an author writes above a statement that is harmless after all, with the reason. */
const EXCUSE = /--\s*the version before:\s*\S/i;

const RULES = [
  [/\bDROP\s+(TABLE|COLUMN|VIEW|TYPE|FUNCTION)\b/i, 'drops what the version before uses'],
  [/\bRENAME\b/i, 'renames what the version before uses'],
  [/\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i, 'changes a type: the table is rewritten under a lock'],
  [/\bSET\s+NOT\s+NULL\b/i, 'the version before may leave it empty'],
  [/\bDROP\s+NOT\s+NULL\b/i, 'the version before cannot read an empty value'],
  [/\bADD\s+(?!CONSTRAINT|CHECK)(?![^,]*\bDEFAULT\b)[^,]*\bNOT\s+NULL\b/i, 'needs a default: the version before does not fill it in'],
  [/\bADD\s+(CONSTRAINT\s+\w+\s+)?(CHECK|FOREIGN\s+KEY)\b(?![\s\S]*\bNOT\s+VALID\b)/i, 'reads the whole table under a lock: add it NOT VALID, and validate it in a later migration'],
  [/\bADD\s+(CONSTRAINT\s+\w+\s+)?(UNIQUE|PRIMARY\s+KEY)\b(?![\s\S]*\bUSING\s+INDEX\b)/i, 'builds an index under a lock: build it CONCURRENTLY first'],
  [/\b(LOCK\s+TABLE|TRUNCATE|CLUSTER|VACUUM\s+FULL)\b/i, 'locks the table'],
  [/^\s*(UPDATE|DELETE)\b/i, 'may lock many rows: let a job change them in pieces'],
];
const INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+ON\s+(?:ONLY\s+)?(\w+)/i;
const TABLE = /\b(?:CREATE\s+TABLE|ALTER\s+TABLE)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:ONLY\s+)?(\w+)/i;

/** The statements of a migration without texts and bodies of functions, each with its first line's number and what its author wrote above it. */
function statements(sql) {
  const found = [];
  for (const { 0: text, index } of sql.matchAll(/(?:--.*|[^;'$-]|-|'[^']*'|\$(\w*)\$[\s\S]*?\$\1\$|\$)+/g)) {
    const code = text.replace(/--.*$|'[^']*'|\$(\w*)\$[\s\S]*?\$\1\$/gm, '').trim();
    if (!code) continue;
    const skipped = text.search(/^(?!\s*(--.*)?$)/m);
    found.push({ code, comment: text, line: sql.slice(0, index + Math.max(skipped, 0)).split('\n').length });
  }
  return found;
}

const wrong = [];
for (const name of readdirSync(folder).filter((name) => name >= FIRST).sort()) {
  const sql = readFileSync(join(folder, name, 'up.sql'), 'utf8');
  const metadata = join(folder, name, 'metadata.toml');
  const isInTransaction = !existsSync(metadata) || !/run_in_transaction\s*=\s*false/.test(readFileSync(metadata, 'utf8'));
  const found = statements(sql);
  const made = new Set(found.flatMap(({ code }) => (/^CREATE\s+TABLE\b/i.test(code) ? [TABLE.exec(code)?.[1]] : [])));
  const tell = (line, what) => wrong.push(`${name}/up.sql:${line}: ${what}`);
  for (const { code, comment, line } of found) {
    const index = INDEX.exec(code);
    if (index && !made.has(index[2]) && !index[1]) tell(line, 'locks the table while it builds an index: CREATE INDEX CONCURRENTLY, in a migration of its own');
    if (index?.[1] && (isInTransaction || found.length > 1)) {
      tell(line, 'CONCURRENTLY works outside of a transaction only: one statement, and metadata.toml with run_in_transaction = false');
    }
    if (/^CREATE\s+TABLE\b/i.test(code) || made.has(TABLE.exec(code)?.[1]) || EXCUSE.test(comment)) continue;
    for (const [pattern, what] of RULES) if (pattern.test(code)) tell(line, what);
  }
}
for (const line of wrong) console.error(line);
process.exit(wrong.length ? 1 : 0);
