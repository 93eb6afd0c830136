// Tests the wasm package as published: node --test scripts/test-wasm-package.mjs, after scripts/wasm.sh build.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve, titleOf } from './page-title.mjs';

const root = resolve(import.meta.dirname, '..');
const pkg = join(root, 'wasm/pkg');
const bin = (name) => join(root, 'frontend/node_modules/.bin', name);
const readme = readFileSync(join(root, 'wasm/README.md'), 'utf8');
const types = ['postern_wasm', 'screens']
  .map((name) => readFileSync(join(pkg, `${name}.d.ts`), 'utf8'))
  .join('\n');
const blocks = [...readme.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```js\n([\s\S]*?)^```$/gm)].map(([, title, code]) => ({
  title,
  code,
}));

// A project with the package installed, and nothing else of this repository.
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

test('the example runs and prints the documented output', () => {
  const printed = execFileSync(process.execPath, [join(root, 'wasm/examples/quote.mjs')], { encoding: 'utf8' })
    .trim()
    .split('\n');
  assert.equal(printed.length, 11);
  assert.equal(printed[4], 'total: $497.61');
  assert.match(printed[5], /^http:\/\/user-ann-country-us-session-\w+:secret@gate\.example:8000$/);
  assert.equal(printed[9], '198.18.0.8 2026-03-08 03:00:00');
  assert.match(printed[10], /^CoreError InvalidFields: /);
});

test('TypeScript accepts the examples and refuses invalid types', () => {
  // The helper in the example of errors is JavaScript.
  for (const { title, code } of blocks.filter(({ title }) => title !== 'Errors'))
    inProject(`${title.replace(/\W+/g, '-')}.ts`, code);
  inProject(
    'wrong.ts',
    `import { canOpen, CoreError, countryName, displayMoney, localizeResponse, nextNodeState, nextOrderState, orderActions, quote } from '@postern/core';
import type { NodeState, OrderState, Quote } from '@postern/core';
import { formatEndpoints } from '@postern/core/screens';
import init, { displayPercent } from '@postern/core/web';
// @ts-expect-error: an amount is a text
displayMoney(5, 'USD');
// @ts-expect-error: no such currency
displayMoney('5.00', 'USDT');
// @ts-expect-error: no such state
nextOrderState('unpayd', 'pay');
// @ts-expect-error: no such event
nextOrderState('unpaid', 'pai');
// @ts-expect-error: no such state
orderActions('unpayd', 60);
// @ts-expect-error: no such language
countryName('DE', 'fr');
// @ts-expect-error: no such format
formatEndpoints([], 'xml');
// @ts-expect-error: no such level
canOpen('/order', 3);
export const next: OrderState = nextOrderState('unpaid', 'pay');
// @ts-expect-error: that of an order is none of a node
export const other: NodeState = nextOrderState('unpaid', 'pay');
export const node: NodeState = nextNodeState('assigned', 'expire');
export const shown = (quoted: Quote) => displayMoney(quoted.Total, quoted.Currency);
export const text: string = localizeResponse(new ArrayBuffer(2), 'UTC') + localizeResponse(new Uint8Array(2), 'UTC');
export const loaded: Promise<string> = init('/rules.wasm').then(() => displayPercent(250));
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
    lib: ['es2022', 'dom'],
  };
  inProject('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  run(bin('tsc'), ['--project', project]);
});

test('all functions are documented, except forms with obvious names', () => {
  const undocumented = [...types.matchAll(/(\*\/)?\n\nexport function (\w+)|(\*\/)\nexport function \w+/g)].map(
    (match) => match[2],
  );
  assert.deepEqual(
    undocumented.filter((name) => name && !name.startsWith('validate')),
    [],
  );
});

test('the types mention no Rust paths, functions or types', () => {
  const comments = [...types.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(([comment]) =>
    comment.replace(/```[\s\S]*?```/g, ''),
  );
  const values = new Set([...types.matchAll(/["'](\w+)["']/g)].map(([, value]) => value));
  const rust = /::|\[`|`(?:u8|u16|u32|u64|i32|i64|str|None|Some|Option|Vec)`/;
  assert.deepEqual(
    comments.filter((comment) => rust.test(comment)),
    [],
  );
  const snake = comments.flatMap((comment) => [...comment.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name));
  assert.deepEqual(
    snake.filter((name) => !values.has(name)),
    [],
  );
});

test('the types have no names of Rust', () => {
  const code = types.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/["'][^"']*["']/g, '');
  assert.deepEqual(code.match(/\b[a-z]+_\w+\b(?!\.js)/g) ?? [], []);
  const constants = [...types.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name]) => name);
  assert.deepEqual(constants, []);
});

test('the rules of the shop that surprise are documented', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const screens = await import(pathToFileURL(join(pkg, 'screens-node.js')));
  assert.equal(core.gatewayPart('10.00', '10.01'), '0.50');
  assert.match(types, /minimum\s+\* charge of gateways/);
  for (const text of [types, readme]) assert.match(text, /`rotating residential proxies plan`/);
  const catalogue = core.defaultCatalogue();
  const coupon = { Code: 'TEN', Percent: '10', Products: ['rotating residential proxies plan'] };
  assert.deepEqual(screens.validateCoupon(coupon, catalogue), {});
  const thrown = (run) => {
    try {
      return run();
    } catch (error) {
      return error.fields;
    }
  };
  const request = {
    VerStr: catalogue.Tiers[0].VerStr,
    PeriodDays: 30,
    Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }],
  };
  const quoted = (terms) => thrown(() => core.quote(request, catalogue, terms));
  const benefit = (Benefit) => ({ Coupon: { Code: 'X', Benefit, Minimum: '0.00' } });
  assert.deepEqual(quoted(benefit({ Percent: 20_000 })), {
    'Coupon.Benefit.Percent': [{ Rule: 'percent', Params: {} }],
  });
  assert.deepEqual(quoted(benefit({ Amount: '-1.00' })), {
    'Coupon.Benefit.Amount': [{ Rule: 'amount', Params: {} }],
  });
  assert.deepEqual(quoted({ ResellerBasisPoints: 20_000 }), {
    ResellerBasisPoints: [{ Rule: 'discount', Params: { Max: '100%' } }],
  });
  assert.equal(quoted(benefit({ Percent: 10_000 })).Total, '0.00');
  assert.deepEqual(
    thrown(() => screens.refundPreview({ Paid: '5.00', Refunded: '0.00', PeriodSeconds: 60, Lines: [] })),
    { Lines: [{ Rule: 'nothingToRefund', Params: {} }] },
  );
  assert.equal(
    core.scrubParams('{"StartAndEndTime":["2026-01-02T00:00:00+00:00","2026-01-02T09:00:00+08:00"]}', 'UTC'),
    '{"EndTime":"2026-01-02 01:00:00","StartTime":"2026-01-02 00:00:00"}',
  );
  const open = (path, level) => core.canOpen(path, level);
  assert.deepEqual(
    [open('/login'), open('/login', 0), open('/nope'), open('/nope', 0), open('/order'), open('/order', 0)],
    [true, true, false, false, false, true],
  );
});

test('the package has its metadata', () => {
  const { name, description, keywords, license, exports } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));
  assert.ok(name && description && license && keywords.length > 3);
  for (const target of Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? entry : Object.values(entry),
  ))
    assert.ok(existsSync(join(pkg, target)), target);
});

test('every code that the documentation names is one of the type', () => {
  const named = [...types.matchAll(/Throws([^.]*)/g)].flatMap(([, text]) =>
    [...text.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name),
  );
  const known = [...(types.match(/type CoreErrorCode =[\s\S]*?';/)?.[0] ?? '').matchAll(/'(\w+)'/g)].map(
    ([, name]) => name,
  );
  const ofArguments = ['Lines', 'Template', 'UserName', 'Dialect', 'Address', 'StartAndEndTime'];
  assert.ok(known.includes('InvalidFields') && named.length > 10);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.includes(name) && !ofArguments.includes(name)),
    [],
  );
});

test('thrown errors are of the package, for any input and file', async () => {
  const entries = ['node.js', 'screens-node.js'].map((name) => pathToFileURL(join(pkg, name)));
  const [core, screens] = await Promise.all(entries.map((entry) => import(entry)));
  const refund = { Paid: '5.00', Refunded: '0.00', PeriodSeconds: 60 };
  const catalogue = core.defaultCatalogue();
  const list = { Scheme: 'http', Host: 'gate.example', Ports: [80], Count: 1 };
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
    [() => screens.formatEndpoints([], 'nonsense'), 'UnknownFormat'],
    [() => screens.whitelistEntry('192.168.1.7'), 'InvalidFields'],
    [() => screens.refundPreview({ ...refund, Lines: [] }), 'InvalidFields'],
    [() => core.localizeResponse(5, 'UTC'), 'WrongArgument'],
    [() => core.localizeResponse([], 'UTC'), 'WrongArgument'],
    [() => core.localizeResponse('{}', 'Nowhere/Atall'), 'UnknownTimeZone'],
    [() => core.scrubParams('{}', ''), 'UnknownTimeZone'],
    [() => core.scrubParams('{"StartAndEndTime":["2026-01-02","soon"]}', 'UTC'), 'NotATime'],
    [() => core.scrubParams('{"StartAndEndTime":["2026-01-03","2026-01-02"]}', 'UTC'), 'InvalidFields'],
    [() => screens.buildList({ ...list, Format: 'nonsense' }), 'UnknownFormat'],
    [() => core.countryName('DE', 'fr'), 'UnknownLanguage'],
    [() => core.nextOrderState('unpayd', 'pay'), 'UnknownState'],
    [() => core.quote({ VerStr: 'x', PeriodDays: -1, Lines: [] }, catalogue), 'InvalidFields'],
    [() => core.nextOrderState('paid', 'pay'), 'StateForbids'],
  ]) {
    assert.throws(
      run,
      (error) =>
        error instanceof core.CoreError && error instanceof Error && error.code === code && error.name === 'CoreError',
    );
  }
});

test('a bare number out of its range is refused by name', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const catalogue = core.defaultCatalogue();
  const verStr = catalogue.Tiers[0].VerStr;
  const u32 = 'expected a whole number from 0 to 4294967295';
  for (const wrong of [-1, 1.5, 2 ** 32 + 1, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, {}])
    for (const [run, message] of [
      [() => core.displayPercent(wrong), `basisPoints: ${u32}`],
      [() => core.resellerPrice('5.00', wrong), `basisPoints: ${u32}`],
      [() => core.commission('purchase', '5.00', '0.00', wrong), `rateBasisPoints: ${u32}`],
      [() => core.estimate(verStr, wrong, 1, catalogue), `periodDays: ${u32}`],
      [() => core.estimate(verStr, 30, wrong, catalogue), `quantity: ${u32}`],
      [() => core.nextQuantityStep(wrong, catalogue), `quantity: ${u32}`],
    ])
      assert.throws(run, { code: 'WrongArgument', message });
  const level = 'level: expected a whole number from 0 to 2';
  for (const wrong of [-1, 0.5, 3, 256, Number.NaN, '0']) {
    assert.throws(() => core.canOpen('/order', wrong), { code: 'WrongArgument', message: level });
    assert.throws(() => core.sidebarFor(wrong), { code: 'WrongArgument', message: level });
  }
  assert.equal(core.canOpen('/order'), false);
  assert.throws(() => core.formatGigabytes(-1), {
    message: 'bytes: expected a whole number from 0 to 9007199254740991',
  });
  assert.throws(() => core.orderActions('unpaid', 0.5), { code: 'WrongArgument', message: /^secondsLeft: / });
  assert.equal(core.displayPercent(2 ** 32 - 1), '42949672.95%');
});

test('validators return rules for numbers out of range, and never throw', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const screens = await import(pathToFileURL(join(pkg, 'screens-node.js')));
  const catalogue = core.defaultCatalogue();
  const rule = (number) => {
    if (!Number.isFinite(number) || !Number.isInteger(number)) return { Rule: 'notWhole', Params: {} };
    if (number < 0) return { Rule: 'min', Params: { Min: '0' } };
    return { Rule: 'max', Params: { Max: '4294967295' } };
  };
  const order = (Quantity, PeriodDays = 30) => ({
    VerStr: catalogue.Tiers[0].VerStr,
    PeriodDays,
    Lines: [{ Country: 'US', City: 'new-york', Quantity }],
  });
  for (const number of [
    -1,
    1.5,
    1e10,
    1e300,
    -1e300,
    5e-324,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]) {
    assert.deepEqual(core.validateOrder(order(number), catalogue), { 'Lines.0.Quantity': [rule(number)] });
    assert.deepEqual(core.validateOrder(order(1, number), catalogue), { PeriodDays: [rule(number)] });
    assert.deepEqual(screens.validateUserName({ Name: 'ann', Session: 'a', TtlMinutes: number }), {
      TtlMinutes: [rule(number)],
    });
    assert.throws(
      () => core.quote(order(number), catalogue),
      (error) => {
        assert.deepEqual(error.fields, { 'Lines.0.Quantity': [rule(number)] });
        return error.code === 'InvalidFields';
      },
    );
  }
  const port = { Scheme: 'http', Host: '198.18.0.7', Port: 70_000, UserName: '', Password: '' };
  assert.throws(
    () => screens.formatEndpoints([{ ...port, Port: 80 }, port], 'url'),
    (error) => {
      assert.deepEqual(error.fields, { 'Endpoints.1.Port': [{ Rule: 'max', Params: { Max: '65535' } }] });
      return true;
    },
  );
  assert.throws(
    () => screens.convertEndpoints('', { Port: Number.NaN }),
    (error) => {
      assert.deepEqual(error.fields, { Port: [{ Rule: 'notWhole', Params: {} }] });
      return true;
    },
  );
  const missing = {
    Lines: [
      { Country: 'XX', City: 'new-york', Quantity: 0 },
      { Country: 'US', City: 'nowhere', Quantity: 1 },
    ],
  };
  assert.deepEqual(core.validateOrder({ ...order(1), ...missing }, catalogue), {
    'Lines.0.Country': [{ Rule: 'unknownCountry', Params: { Value: 'XX' } }],
    'Lines.0.Quantity': [{ Rule: 'atLeastOne', Params: {} }],
    'Lines.1.City': [{ Rule: 'unknownCity', Params: { Value: 'nowhere' } }],
  });
  assert.deepEqual(core.validateOrder(order(0), catalogue), {
    'Lines.0.Quantity': [{ Rule: 'atLeastOne', Params: {} }],
  });
});

test('messages name the place and the kind in the words of JSON', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const catalogue = core.defaultCatalogue();
  const request = { VerStr: 'x', PeriodDays: 30, Lines: [] };
  for (const [wrong, message] of [
    [{ ...request, VerStr: 5 }, 'VerStr: expected a string'],
    [{ ...request, Lines: {} }, 'Lines: expected an array'],
    [{ ...request, Lines: [7] }, 'Lines.0: expected an object'],
    [{ VerStr: 'x', Lines: [] }, 'PeriodDays: missing'],
    [undefined, 'request: missing'],
    [[], 'request: expected an object'],
  ])
    assert.throws(() => core.quote(wrong, catalogue), { code: 'WrongArgument', message });
  assert.throws(() => core.quote(request, { ...catalogue, Currency: 'XXX' }), {
    code: 'UnknownCurrency',
    message: 'Currency: expected one of USD, EUR, CNY',
  });
  assert.throws(() => core.quote(request), { code: 'WrongArgument', message: 'catalogue: missing' });
});

test('half an emoji breaks a rule, and is sent as a replacement character', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const broken = [{ Rule: 'brokenCharacter', Params: {} }];
  assert.deepEqual(core.validateNodeNote('a\ud83d'), { Note: broken });
  assert.deepEqual(core.validatePlanGroup({ Name: 'x\ude00', Colour: '', Note: '' }), { Name: broken });
  const screens = await import(pathToFileURL(join(pkg, 'screens-node.js')));
  assert.deepEqual(screens.validateMessage('\ud83d'), { Text: broken });
  assert.equal(core.scrubParams(JSON.stringify({ Note: '\ud83d!' }), 'UTC'), '{"Note":"\ufffd!"}');
  assert.equal(
    core.scrubParams(JSON.stringify({ Note: '\ud83d\ude00' }), 'UTC'),
    JSON.stringify({ Note: '\ud83d\ude00' }),
  );
});

test('bytes and texts are localised alike', async () => {
  const core = await import(pathToFileURL(join(pkg, 'node.js')));
  const text = '{"At":"2026-01-02 16:30:00","Note":"密 😀","Long":"2026-01-02T16:30:00.123Z"}';
  const shown = '{"At":"2026-01-03 00:30:00","Note":"密 😀","Long":"2026-01-03 00:30:00"}';
  const bytes = new TextEncoder().encode(text);
  const within = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, 2 + bytes.length);
  for (const given of [text, bytes, bytes.buffer, Buffer.from(text), within])
    assert.equal(core.localizeResponse(given, 'Asia/Shanghai'), shown);
  assert.equal(new TextDecoder().decode(bytes), text, 'what was given stays as it was');
  assert.equal(core.localizeResponse(new ArrayBuffer(0), 'UTC'), '');
  // Like Response.text: no byte order mark, and replacement characters for invalid UTF-8.
  assert.equal(core.localizeResponse(new Uint8Array([0xef, 0xbb, 0xbf, 0x22, 0xff, 0x22]), 'UTC'), '"\ufffd"');
});

test('a long text is localised as a short one is', async () => {
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
test('it loads', () => expect(countryName('DE', 'en')).toBe('Germany'));
`,
  );
  symlinkSync(join(root, 'frontend/node_modules/vitest'), join(project, 'node_modules/vitest'));
  assert.match(run(bin('vitest'), ['run', '--root', project]), /1 passed/);
});

test('a plain page loads it with any content type of wasm files', async () => {
  const [html] = readme.match(/(?<=^```html\n)[\s\S]*?(?=^```$)/m) ?? assert.fail('the README has no page');
  inProject('plain.html', `<!doctype html>${html}`);
  const other = `import init, { formatUserName } from './node_modules/@postern/core/screens-web.js';
const bytes = await (await fetch('./node_modules/@postern/core/screens_bg.wasm')).arrayBuffer();
await init(await WebAssembly.compile(bytes));
await init();
document.title = formatUserName({ Name: 'ann', Country: 'us' });`;
  inProject('other.html', `<!doctype html><script type="module">${other}</script>`);
  for (const [types, page, title] of [
    [{}, 'plain.html', '$1,234.50'],
    [{ '.wasm': 'application/octet-stream' }, 'plain.html', '$1,234.50'],
    [{}, 'other.html', 'user-ann-country-us'],
  ]) {
    const server = await serve(project, types);
    try {
      assert.equal(await titleOf(server.url + page), title);
    } finally {
      server.close();
    }
  }
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
