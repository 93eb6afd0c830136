// Calls every function of the wasm package with each wrong kind of each argument: node --test scripts/test-wasm-arguments.mjs, after
// scripts/wasm.sh build. The parameters are those of the types, so that new functions are covered.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const pkg = resolve(import.meta.dirname, '../wasm/pkg');
const PARTS = { postern_wasm: 'node.js', screens: 'screens-node.js' };
const typesOf = (part) => readFileSync(join(pkg, `${part}.d.ts`), 'utf8');
const allTypes = typesOf('postern_wasm');
const load = (file) => import(pathToFileURL(join(pkg, file)));

const core = await load('node.js');
const screens = await load('screens-node.js');
const catalogue = core.defaultCatalogue();
const traffic = screens.defaultTrafficCatalogue();

// Valid arguments, by type and by name of the parameter: those of a call besides the one that is wrong.
const BY_TYPE = {
  AccountTermsForm: { Level: 0 },
  AnnouncementForm: { Tone: 'info', TextEn: 'Sale' },
  Catalogue: catalogue,
  ConvertInto: { Host: 'gate.example', Port: 80 },
  EndpointServer: { Host: 'gate.example', HttpPort: 80 },
  EndpointSettings: { ServerId: 1, Scheme: 'http', Count: 1, Format: 'url' },
  EndpointUser: { Name: 'ann', Password: 'pw' },
  HoldStepForm: { From: '5', Ips: '5' },
  LegalTextForm: { Kind: 'terms', BodyEn: 'Terms' },
  UseCaseForm: { Target: 'shops', NameEn: 'Shops' },
  CloseCaseForm: { CaseId: 7, Note: '' },
  ExchangeRateForm: { Currency: 'CNY', Rate: '7.1', FeedUrl: '', FeedPath: '', Margin: '' },
  LimitForm: { Limit: 'unpaid_orders', Most: '7' },
  ListRequest: { Scheme: 'http', Host: 'gate.example', Ports: [80], Count: 1, Format: 'url' },
  Outcome: { HttpStatus: 200, Code: 1000 },
  PriceForm: { Action: 'set_tier' },
  Prices: { Catalogue: catalogue, Traffic: traffic },
  QuoteRequest: {
    VerStr: catalogue.Tiers[0].VerStr,
    PeriodDays: 30,
    Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }],
  },
  RenewalRequest: { PeriodDays: 30, Lines: [{ VerStr: catalogue.Tiers[0].VerStr, Quantity: 1 }] },
  TrafficCatalogue: traffic,
  TrafficOffer: traffic.Offers[0],
  TrafficRequest: { Gigabytes: 10, PeriodDays: 30 },
  UserParts: { Name: 'ann' },
  Uint8Array: new Uint8Array(8),
  number: 1,
  '0 | 1 | 2': 0,
  'ArrayBuffer | Uint8Array | string': '{}',
};
const BY_NAME = {
  amount: '5.00',
  balance: '5.00',
  currency: 'USD',
  format: 'url',
  kind: 'purchase',
  language: 'en',
  least: '5.00',
  less: '1.00',
  listPrice: '5.00',
  max: '100.00',
  min: '5.00',
  needed: '5.00',
  now: '2026-01-02 03:04:05',
  paid: '5.00',
  role: 'support',
  parameters: '{}',
  refunded: '0.00',
  state: 'unpaid',
  event: 'pay',
  timeZone: 'UTC',
  total: '5.00',
  verStr: catalogue.Tiers[0].VerStr,
};

const kindOf = (type) => {
  if (type.endsWith('[]')) return 'array';
  if (['number', '0 | 1 | 2'].includes(type)) return 'number';
  if (type === 'string' || new RegExp(`^export type ${type} = "`, 'm').test(allTypes)) return 'text';
  if (type === 'Uint8Array') return 'bytes';
  if (type === 'ArrayBuffer | Uint8Array | string') return 'answer';
  assert.match(allTypes, new RegExp(`^export (interface|type) ${type}\\b`, 'm'), `${type} is declared`);
  return 'object';
};

const cycle = {};
cycle.cycle = cycle;
const WRONG = {
  text: [undefined, null, 5, Number.NaN, true, {}, [], 5n, Symbol('text'), () => 'text', new String('text')],
  number: [undefined, null, '5', Number.NaN, Number.POSITIVE_INFINITY, 0.5, -1, true, {}, [], 5n, Symbol('5'), () => 5],
  object: [undefined, null, 5, 'text', true, [], 5n, Symbol('text'), () => ({})],
  array: [undefined, null, 5, 'text', true, {}, 5n, Symbol('text'), () => [], [cycle], [5n]],
  bytes: [undefined, null, 5, 'text', true, {}, [1, 2], 5n, new ArrayBuffer(8), () => new Uint8Array(8)],
  answer: [undefined, null, 5, true, {}, [], 5n, Symbol('text'), () => '{}'],
};
// Below zero, or a fraction, is a number of seconds left or an age like any other.
const ACCEPTED = { secondsLeft: [-1] };

const functionsOf = (part) =>
  [...typesOf(part).matchAll(/^export function (\w+)\((.*)\): .*;$/gm)].map(([, name, list]) => ({
    name,
    parameters: (list === '' ? [] : list.split(', ')).map((parameter) => {
      const [, parameterName, optional, type] = parameter.match(/^(\w+)(\?)?: (.*?)(?: \| null)?$/);
      return { name: parameterName, isOptional: optional === '?', type, kind: kindOf(type) };
    }),
  }));

const valid = ({ name, type, kind }) => {
  if (type in BY_TYPE) return BY_TYPE[type];
  if (kind === 'array') return [];
  return kind === 'text' ? (BY_NAME[name] ?? '') : {};
};

// The error names the argument, or a field of it.
const names = (error, { name, kind }) => {
  const message = error.message.toLowerCase();
  const path = message.split(':')[0].split('.')[0];
  return path === name.toLowerCase() || (kind === 'array' && path === name.toLowerCase());
};

let called = 0;
for (const [part, file] of Object.entries(PARTS)) {
  test(`each wrong kind of argument is refused by name: ${part}`, async () => {
    const functions = await load(file);
    const listed = functionsOf(part);
    const exported = Object.keys(functions).filter((name) => !['CoreError', 'default'].includes(name));
    assert.deepEqual(listed.map(({ name }) => name).sort(), exported.sort());
    for (const { name, parameters } of listed) {
      called += 1;
      for (const [index, parameter] of parameters.entries()) {
        for (const wrong of WRONG[parameter.kind]) {
          if (parameter.isOptional && (wrong === undefined || wrong === null)) continue;
          if (ACCEPTED[parameter.name]?.includes(wrong)) continue;
          const given = parameters.map(valid);
          given[index] = wrong;
          const call = `${name}(${parameters.map((other, at) => (at === index ? `${other.name}: ${typeof wrong} ${wrong === cycle ? 'cycle' : String(wrong)}` : other.name)).join(', ')})`;
          assert.throws(
            () => functions[name](...given),
            (error) => {
              assert.ok(error instanceof core.CoreError, `${call} threw ${error}`);
              assert.ok(names(error, parameter), `${call} does not name it: ${error.code} ${error.message}`);
              assert.equal(error.code, 'WrongArgument', call);
              return true;
            },
            call,
          );
        }
      }
      // Too few arguments: the first that is missing is named.
      const needed = parameters.findIndex(({ isOptional }) => !isOptional);
      if (needed >= 0)
        assert.throws(
          () => functions[name](),
          (error) => error instanceof core.CoreError && parameters.some((parameter) => names(error, parameter)),
          `${name}()`,
        );
    }
  });
}

test('all functions of the package were called', () => assert.ok(called > 100, `${called}`));

test('an unknown value has one error, whichever way it is passed', async () => {
  const unknown = { code: 'UnknownFormat' };
  assert.throws(() => screens.formatEndpoints([], 'xml'), unknown);
  assert.throws(() => screens.buildNodeList('', 'xml'), unknown);
  assert.throws(() => screens.buildList({ ...BY_TYPE.ListRequest, Format: 'xml' }), unknown);
  assert.throws(() => screens.convertEndpoints('', { ...BY_TYPE.ConvertInto, Format: 'xml' }), unknown);
  const settings = { ...BY_TYPE.EndpointSettings, Format: 'xml' };
  assert.throws(() => screens.listRequest(settings, BY_TYPE.EndpointServer, BY_TYPE.EndpointUser, 's'), unknown);
  assert.throws(() => core.displayMoney('5.00', 'XXX'), { code: 'UnknownCurrency' });
  assert.throws(() => core.quote(BY_TYPE.QuoteRequest, { ...catalogue, Currency: 'XXX' }), { code: 'UnknownCurrency' });
});
