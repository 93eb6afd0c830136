// Finds import cycles of files, and of top-level modules of Rust, in the server, core, wasm and the front end: node scripts/circles.mjs [root…]
// Reads `use` and paths of Rust, and `import` of TypeScript; ignores tests within a file and type-only imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

const filesUnder = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => ending.test(name) && !/\.test\.tsx?$|\.gen\.ts$|\.d\.ts$/.test(name))
    .map((name) => join(folder, name))
    .sort();

/** Rust source without comments, string literals and the tests at the end. */
function plainRust(source) {
  const code = source
    .replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""')
    .replace(/\/\/.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '');
  const tests = code.search(/#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\(\w+\))? )?mod \w+ \{/);
  return tests < 0 ? code : code.slice(0, tests);
}

/** Expands the braces of a `use`: `a::{b, c::{d}}` is a::b and a::c::d. */
function paths(tree) {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.replace(/\s+as\s+\w+/, '').trim()];
  const head = tree.slice(0, open).trim();
  const parts = [];
  let depth = 0;
  let begin = open + 1;
  for (let at = open; at < tree.length; at += 1) {
    if (tree[at] === '{') depth += 1;
    if (tree[at] === '}') depth -= 1;
    if ((tree[at] === ',' && depth === 1) || (tree[at] === '}' && depth === 0)) {
      parts.push(tree.slice(begin, at));
      begin = at + 1;
    }
  }
  return parts.filter((part) => part.trim()).flatMap((part) => paths(part).map((path) => head + path));
}

function rust(root) {
  const files = filesUnder(root, /\.rs$/);
  const moduleOf = (file) => {
    const name = relative(root, file).replace(/\.rs$/, '').split('/');
    if (['mod', 'lib', 'main'].includes(name.at(-1))) name.pop();
    return name;
  };
  const byModule = new Map(files.map((file) => [moduleOf(file).join('::'), file]));
  const find = (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const file = byModule.get(path.slice(0, length).join('::'));
      if (file) return file;
    }
    return undefined;
  };
  const edges = new Map();
  for (const file of files) {
    const code = plainRust(readFileSync(file, 'utf8'));
    const own = moduleOf(file);
    const reached = new Set();
    const reach = (path, base) => {
      const steps = path.split('::').map((step) => step.trim());
      let at = base;
      while (['crate', 'self', 'super'].includes(steps[0])) {
        const step = steps.shift();
        if (step === 'crate') at = [];
        if (step === 'super') at = at.slice(0, -1);
      }
      const target = find([...at, ...steps]);
      if (target && target !== file) reached.add(target);
    };
    for (const [, tree] of code.matchAll(/\buse\s+([^;]+);/g)) {
      for (const path of paths(tree)) {
        if (/^(crate|self|super)\b/.test(path)) reach(path, own);
        // A child module named without `self`.
        else if (byModule.has([...own, path.split('::')[0]].join('::'))) reach(`self::${path}`, own);
      }
    }
    const rest = code.replace(/\buse\s+[^;]+;/g, '');
    for (const [path] of rest.matchAll(/\b(?:crate|super|self)(?:::\w+)+/g)) reach(path, own);
    // Names of children and of imported modules are reached through their `use`; a child's own name is not.
    for (const [, child] of rest.matchAll(/(?<![:\w])([a-z]\w*)::/g)) {
      if (byModule.has([...own, child].join('::'))) reach(`self::${child}`, own);
    }
    edges.set(file, reached);
  }
  return edges;
}

function typescript(root) {
  const files = new Set(filesUnder(root, /\.tsx?$/));
  const edges = new Map();
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
      .replace(/\/\/.*$/gm, '')
      .replace(/\bimport\s+type\s[\s\S]*?from\s+'[^']+'/g, '')
      .replace(/\bexport\s+type\s[\s\S]*?from\s+'[^']+'/g, '');
    const reached = new Set();
    // Dynamic imports count as well.
    for (const [, from, alone, later] of code.matchAll(/\bfrom\s+'([^']+)'|\bimport\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g)) {
      const path = from ?? alone ?? later;
      const place = path.startsWith('@/') ? join(root, path.slice(2)) : path.startsWith('.') ? resolve(dirname(file), path) : '';
      const found = [place, `${place}.ts`, `${place}.tsx`, join(place, 'index.ts')].find((name) => files.has(name));
      if (found && found !== file) reached.add(found);
    }
    edges.set(file, reached);
  }
  return edges;
}

/** Strongly connected components (Tarjan). */
function circles(edges) {
  const found = [];
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** The shortest cycle through a file. */
function wayRound(edges, group) {
  const within = new Set(group);
  let best;
  for (const begin of group) {
    const from = new Map([[begin, undefined]]);
    const queue = [begin];
    for (const file of queue) {
      for (const next of edges.get(file)) {
        if (next === begin) {
          const way = [begin];
          for (let at = file; at; at = from.get(at)) way.push(at);
          if (!best || way.length < best.length) best = way.reverse();
        } else if (within.has(next) && !from.has(next)) {
          from.set(next, file);
          queue.push(next);
        }
      }
    }
  }
  return best;
}

/** The imports of top-level modules of each other: a folder, or a file beside `lib.rs`. */
function modulesOf(root, edges) {
  const moduleOf = (file) => relative(root, file).split('/')[0].replace(/\.rs$/, '');
  // The roots of crates name every module.
  const inside = [...edges].filter(([file]) => !['lib', 'main'].includes(moduleOf(file)));
  const modules = new Map(inside.map(([file]) => [moduleOf(file), new Set()]));
  for (const [file, reached] of inside) {
    for (const name of [...reached].map(moduleOf)) if (name !== moduleOf(file) && modules.has(name)) modules.get(moduleOf(file)).add(name);
  }
  return modules;
}

const DEFAULT = ['core/src', 'core/vectors/src', 'wasm/src', 'wasm/face/src', 'wasm/screens/src', 'server/src', 'gate/src', 'frontend/src'];
const roots = process.argv.length > 2 ? process.argv.slice(2) : DEFAULT;
let isFound = false;

/** Prints the circles of files or modules. */
function report(name, kind, edges, short) {
  for (const group of circles(edges)) {
    isFound = true;
    console.error(`${name}: ${group.length} ${kind} import each other in a circle: ${group.map(short).sort().join(', ')}`);
    console.error(`  the shortest way round: ${wayRound(edges, group).map(short).join(' → ')}`);
  }
}

for (const name of roots) {
  const root = resolve(repository, name);
  if (!existsSync(root)) throw new Error(`${name} is no folder`);
  const isTypescript = filesUnder(root, /\.tsx?$/).length > 0;
  const edges = isTypescript ? typescript(root) : rust(root);
  report(name, 'files', edges, (file) => relative(root, file));
  if (!isTypescript) report(name, 'modules', modulesOf(root, edges), (module) => module);
}
process.exit(isFound ? 1 : 0);
