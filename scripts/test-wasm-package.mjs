// Tests the built wasm package as its users have it: node --test scripts/test-wasm-package.mjs, after scripts/wasm.sh build.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const pkg = join(root, 'wasm/pkg');
const bin = (name) => join(root, 'frontend/node_modules/.bin', name);
const readme = readFileSync(join(root, 'wasm/README.md'), 'utf8');
const types = ['postern_wasm', 'endpoints', 'operator']
  .map((name) => readFileSync(join(pkg, `${name}.d.ts`), 'utf8'))
  .join('\n');
const blocks = [...readme.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```js\n([\s\S]*?)^```$/gm)].map(([, title, code]) => ({
  title,
  code,
}));

// A project of somebody who installed the package, and nothing else of this repository.
let project;
before(() => {
  project = mkdtempSync(join(tmpdir(), 'postern-core-'));
  mkdirSync(join(project, 'node_modules/@postern'), { recursive: true });
  symlinkSync(pkg, join(project, 'node_modules/@postern/core'));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
});
after(() => rmSync(project, { recursive: true, force: true }));

const inProject = (name, text) => {
  writeFileSync(join(project, name), text);
  return join(project, name);
};
const run = (command, args) =>
  execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

// `expression; // => value` is an assertion.
const asserting = (code) =>
  `import assert from 'node:assert/strict';\n${code.replace(
    /^(.+); \/\/ => (.+)$/gm,
    (_, expression, value) => `assert.deepEqual(${expression}, ${value});`,
  )}`;

test('the README has an example for each group of functions', () => {
  assert.ok(blocks.length >= 9, `${blocks.length} blocks`);
  for (const { title, code } of blocks) assert.match(code, /; \/\/ => /, title);
});

for (const { title, code } of blocks) {
  test(`the README's examples hold: ${title}`, async () => {
    const path = inProject(`${title.replace(/\W+/g, '-')}.mjs`, asserting(code));
    await import(pathToFileURL(path));
  });
}

test('the example runs and prints what it says', () => {
  const printed = execFileSync(process.execPath, [join(root, 'wasm/examples/quote.mjs')], { encoding: 'utf8' })
    .trim()
    .split('\n');
  assert.equal(printed.length, 11);
  assert.equal(printed[4], 'total: $497.61');
  assert.match(printed[5], /^http:\/\/user-ann-country-us-session-\w+:secret@gate\.example:8000$/);
  assert.equal(printed[9], '198.18.0.8 2026-03-08 03:00:00');
  assert.match(printed[10], /^CoreError InvalidFields: /);
});

test('TypeScript accepts the examples, and refuses what the types do not have', () => {
  // The helper of the example of errors is JavaScript.
  for (const { title, code } of blocks.filter(({ title }) => title !== 'Errors'))
    inProject(`${title.replace(/\W+/g, '-')}.ts`, code);
  inProject(
    'wrong.ts',
    `import { CoreError, displayMoney } from '@postern/core';
// @ts-expect-error: an amount is a text
displayMoney(5, 'USD');
export function codeOf(error: CoreError): string {
  // @ts-expect-error: no such code
  if (error.code === 'Nonsense') return '';
  return error.fields.VerStr?.[0]?.Rule ?? error.code;
}
`,
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    skipLibCheck: false,
    types: [],
  };
  inProject('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  run(bin('tsc'), ['--project', project]);
});

test('all functions are documented, but for forms whose names say it', () => {
  const undocumented = [...types.matchAll(/(\*\/)?\n\nexport function (\w+)|(\*\/)\nexport function \w+/g)].map(
    (match) => match[2],
  );
  assert.deepEqual(
    undocumented.filter((name) => name && !name.startsWith('validate')),
    [],
  );
});

test('every code that the documentation names is one of the type', () => {
  const named = [...types.matchAll(/Throws([^.]*)/g)].flatMap(([, text]) =>
    [...text.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name),
  );
  const known = [...(types.match(/type CoreErrorCode =[\s\S]*?';/)?.[0] ?? '').matchAll(/'(\w+)'/g)].map(
    ([, name]) => name,
  );
  const ofArguments = ['Template', 'UserName', 'Dialect', 'Address'];
  assert.ok(known.includes('InvalidFields') && named.length > 10);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.includes(name) && !ofArguments.includes(name)),
    [],
  );
});

test('what is thrown is an Error of the package, whatever is passed in and whichever file throws', async () => {
  const entries = ['node.js', 'endpoints-node.js', 'operator-node.js'].map((name) => pathToFileURL(join(pkg, name)));
  const [core, endpoints, operator] = await Promise.all(entries.map((entry) => import(entry)));
  const refund = { Paid: '5.00', Refunded: '0.00', PeriodSeconds: 60 };
  const catalogue = core.defaultCatalogue();
  const cycle = {};
  cycle.cycle = cycle;
  for (const [run, code] of [
    [() => core.displayMoney(5, 'USD'), 'WrongArgument'],
    [() => core.displayMoney('5.001', 'USD'), 'NotAnAmount'],
    [() => core.displayMoney('5', 'XXX'), 'UnknownCurrency'],
    [() => core.quote(undefined, catalogue), 'WrongArgument'],
    [() => core.quote(cycle, catalogue), 'WrongArgument'],
    [() => core.quote({ VerStr: 'x', PeriodDays: 30n, Lines: [] }, catalogue), 'WrongArgument'],
    [() => core.scrubParams('{', 'UTC'), 'NotJson'],
    [() => endpoints.formatEndpoints([], 'nonsense'), 'UnknownFormat'],
    [() => operator.refundPreview({ ...refund, Lines: [] }), 'InvalidFields'],
    [() => core.localizeResponse(5, 'UTC'), 'WrongArgument'],
    [() => core.nextOrderState('paid', 'pay'), 'StateForbids'],
  ]) {
    assert.throws(
      run,
      (error) =>
        error instanceof core.CoreError && error instanceof Error && error.code === code && error.name === 'CoreError',
    );
  }
});

test('a text that crosses in pieces is localised as a short one is', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const rows = (time, note) =>
    JSON.stringify(Array.from({ length: 20_000 }, (_, Id) => ({ Id, At: time, Note: note })));
  for (const note of ['1, 2', '密, "2026-01-02 16:30:00"']) {
    const localised = core.localizeResponse(rows('2026-01-02 16:30:00', note), 'Asia/Shanghai');
    assert.equal(localised, rows('2026-01-03 00:30:00', note));
  }
  const noComma = JSON.stringify(['y'.repeat(200_000)]);
  assert.equal(core.localizeResponse(noComma, 'Asia/Shanghai'), noComma);
});

test('long texts of every script come back as they went in', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  for (const text of ['a'.repeat(5_000), '密'.repeat(5_000), `${'a'.repeat(2_000)}😀é${'密a'.repeat(2_000)}`]) {
    assert.equal(core.localizeResponse(JSON.stringify(text), 'Asia/Shanghai'), JSON.stringify(text));
  }
});

test('Vitest imports it without any configuration', () => {
  inProject(
    'core.test.js',
    `import { countryName } from '@postern/core';
import { expect, test } from 'vitest';
test('it is there', () => expect(countryName('DE', 'en')).toBe('Germany'));
`,
  );
  symlinkSync(join(root, 'frontend/node_modules/vitest'), join(project, 'node_modules/vitest'));
  assert.match(run(bin('vitest'), ['run', '--root', project]), /1 passed/);
});

test('Vite builds it with vite-plugin-wasm and nothing else', async () => {
  const fromFrontend = createRequire(join(root, 'frontend/package.json'));
  const load = (name) => import(pathToFileURL(fromFrontend.resolve(name)));
  const [{ build }, { default: wasm }] = [await load('vite'), await load('vite-plugin-wasm')];
  inProject('index.html', '<!doctype html><script type="module" src="/page.js"></script>');
  inProject('page.js', "import { countryName } from '@postern/core';\ndocument.title = countryName('DE', 'zh');\n");
  await build({ root: project, configFile: false, logLevel: 'error', plugins: [wasm()] });
  const assets = readdirSync(join(project, 'dist/assets'));
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 1, assets.join());
});
