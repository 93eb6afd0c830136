// What the sign-in screen weighs before it can be used: the scripts and styles that index.html loads, and what those load
// at once, as brotli. Fails above the budget.
import { readFileSync, statSync } from 'node:fs';

const BUDGET_KB = 130;
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
const seen = new Set();

/** Static imports only: what is imported with import() comes with the screen that asks for it. */
function follow(path) {
  if (seen.has(path)) return;
  seen.add(path);
  if (!path.endsWith('.js')) return;
  const code = readFileSync(new URL(path, dist), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) follow(`assets/${name}`);
}
for (const [, path] of html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)) follow(path);

let total = 0;
for (const path of [...seen].sort()) {
  const compressed = new URL(`${path}.br`, dist);
  let size;
  try {
    size = statSync(compressed).size;
  } catch {
    size = statSync(new URL(path, dist)).size;
  }
  total += size;
  console.log(`${(size / 1000).toFixed(1).padStart(7)} KB  ${path}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(7)} KB  in all, of ${BUDGET_KB} KB`);
process.exit(total <= BUDGET_KB * 1000 ? 0 : 1);
