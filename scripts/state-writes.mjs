// Checks that each state (node, order, payment, proxy user, webhook, delivery) is written in only one file: node scripts/state-writes.mjs [folder]
// Filters and selections of a state are not writes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = process.argv[2] ?? fileURLToPath(new URL('../server/src', import.meta.url));
const WRITER = { nodes: 'nodes/lifecycle.rs', orders: 'order_rows/rows.rs', payments: 'charges/payments.rs', proxy_users: 'proxy_users/lifecycle.rs', webhooks: 'webhooks/lifecycle.rs', webhook_deliveries: 'webhooks/lifecycle.rs' };
/** The inventory import and the demo insert new rows. */
const BEGINNINGS = ['inventory/import.rs', 'demo/seed.rs', 'demo/traffic.rs', 'demo/webhooks.rs'];

const wrong = [];
for (const file of readdirSync(source, { recursive: true }).map(String).filter((name) => name.endsWith('.rs') && name !== 'schema.rs').sort()) {
  const code = readFileSync(join(source, file), 'utf8').replace(/\/\/.*$/gm, '');
  for (const { 0: found, 1: name, index } of code.matchAll(/\b(nodes|orders|payments|payment_rows|proxy_users|webhooks|webhook_deliveries)::state\s*\.eq\(/g)) {
    const table = name === 'payment_rows' ? 'payments' : name;
    const before = code.slice(Math.max(0, index - 160), index);
    // Conditions are in `filter(…)`, `.and(…)`, `.or(…)` or named; writes are in `set(…)` or in a tuple of values.
    const isCondition = /(?:filter|and|or|on|case_when|any)\(\s*$/.test(before) || /let \w+ =\s*$/.test(before);
    if (isCondition || file === WRITER[table] || BEGINNINGS.includes(file)) continue;
    wrong.push(`server/src/${file}:${code.slice(0, index).split('\n').length}: ${found}…) is written in ${WRITER[table]} alone`);
  }
}
for (const line of wrong) console.error(line);
process.exit(wrong.length ? 1 : 0);
