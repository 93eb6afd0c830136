// Runs the commands of the documentation: node --test scripts/docs-commands.mjs
// Every ```sh block of the pages is either run against a demo shop, with its placeholders replaced, or is on the list NOT_RUN with the
// reason; of the latter, the arguments of `postern` and `postern-gate` are compared with what the programs know. Needs their debug builds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort, repository, Shop } from './docs-shop.mjs';

const CUSTOMER = 'customer@example.com';
const OTHER = 'reseller@example.com';
const ORDER = 'POEGZCARCAA8';

const PAGES = [
  ...['docs', 'docs/zh'].flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
  'README.md',
  'gate/README.md',
  'wasm/README.md',
];

/** Blocks that are not run, by page and the beginning of the block, with the reason. An entry without a beginning is for all blocks of its page. */
const NOT_RUN = [
  ['README.md', 'git clone', 'clones and builds everything: scripts/measure-run.sh'],
  ['docs/index.md', 'git clone', 'as in README.md'],
  [
    'docs/production.md',
    '',
    'root and systemd: scripts/machines.sh runs them on machines of their own, scripts/deploy.sh visits a shop through each proxy',
  ],
  ['docs/containers.md', '', 'images and compose: the settings and commands of a container'],
  ['docs/install.md', 'postern init\n', 'asks at a terminal: the tests of server/src/app/init/questions.rs answer it'],
  ['docs/proxies.md', 'curl -x', 'public addresses: frontend/e2e/curl.spec.ts and gate.spec.ts connect through a gate'],
  ['docs/zh/proxies.md', 'curl -x', 'as in docs/proxies.md'],
  ['docs/monitoring.md', 'OTEL_EXPORTER_OTLP_ENDPOINT=', 'a program that goes on: tests of the API read its traces'],
  ['docs/monitoring.md', 'POSTERN_METRICS=', 'two programs that go on: scripts/monitoring.sh reads their metrics'],
  ['docs/traffic.md', 'apt-get install squid', 'root and Squid: the tests of the gate run one'],
  ['docs/traffic.md', 'mkdir -p /etc/systemd', 'root and systemd'],
  ['wasm/README.md', 'npm install', 'scripts/test-wasm-package.mjs installs the package'],
];

let shop;
let customer;
before(async () => {
  shop = await Shop.open();
  customer = await shop.signIn(CUSTOMER);
});
after(() => shop?.close());

/** The number of a new top-up by bank transfer of 25.00. */
async function newTransfer() {
  const { Order } = await shop.ask('Wallet/CreateTopUp', { Amount: '25.00', PaymentMethod: 'transfer' }, customer);
  return Order.OrderNumber;
}

async function newKey() {
  const scopes = ['proxies:read', 'billing:read', 'billing:write'];
  const { Secret } = await shop.ask(
    'ApiKeys/AddApiKey',
    { Name: crypto.randomUUID(), Scopes: scopes, Addresses: [] },
    customer,
  );
  return Secret;
}

/** The number of a new order of one IP. */
async function newOrder() {
  const lines = [{ Country: 'US', City: 'new-york', Quantity: 1 }];
  const order = { VerStr: 'shared ISP proxies plan', PeriodDays: 30, Lines: lines, PayFromWallet: true };
  const { Total } = await shop.ask('Order/QuoteOrder', { ...order, PayFromWallet: undefined }, customer);
  const made = await shop.ask('Order/CreateOrder', { ...order, ExpectedTotal: Total }, customer);
  return made.OrderNumber ?? made.Order.OrderNumber;
}

/** The secret of a proxy server of its own. */
let servers = 0;
async function newServer(kind) {
  servers += 1;
  const made = await shop.run(
    `postern proxy-server add docs-${servers} --kind ${kind} --host gate.example.com --http-port 8000`,
  );
  return made.trim().split('\n').at(-1);
}

async function newListUrl() {
  const user = await shop.ask('ProxyUsers/AddProxyUser', { Name: `docs_${Date.now()}` }, customer);
  const [server] = await shop.ask('Endpoints/GetServerList', {}, customer);
  const settings = { ServerId: server.ServerId, Scheme: 'http', Count: 3, Format: 'url', Sticky: true };
  const form = { Name: 'docs', ProxyUserId: user.ProxyUserId ?? user.ProxyUser.ProxyUserId, Settings: settings };
  const { Url } = await shop.ask('Endpoints/CreateUrl', form, customer);
  return Url.replace(/^https?:\/\/[^/]+/, shop.url);
}

/** Runs a block that goes on until the gate says that it is ready. */
async function runGate(block, replaced) {
  const script = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), block);
  const end = await shop.runUntil(script, { ...shop.env, RUST_LOG: 'info' }, async (log) => log.includes('ready'));
  await end();
}

/** Runs a block that goes on until its shop answers. */
async function runShop(block, env, port) {
  const end = await shop.runUntil(block, env, async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
  await end();
}

const codesOf = (output) => [...output.matchAll(/"Code":\s*(\d+)/g)].map(([, code]) => Number(code));
const settle = async (block) => shop.run(block.replaceAll(ORDER, await newTransfer()));
const refund = async (block) => shop.run(block.replaceAll(ORDER, await newOrder()));
const doctor = async (block) => assert.match(await shop.run(block, shop.env, [0, 1]), /\d+ ok/);

const callApi = async (block) => {
  const calls = block
    .replace('https://shop.example.com', shop.url)
    .replace('ptn_…', await newKey())
    .replaceAll('curl ', 'curl -sS --fail-with-body ');
  assert.deepEqual(codesOf(await shop.run(calls)), [1000, 1000, 1000]);
};
const showToken = (block) => shop.run(block.replaceAll('EMAIL', OTHER));
const fetchList = async (block) => {
  const list = await shop.run(
    block.replace('https://shop.example.com/lists/TOKEN', await newListUrl()).replace('curl ', 'curl -sS --fail '),
  );
  assert.equal(list.match(/http:\/\/user-/g)?.length, 3, list);
};
const signWebhook = async (block) => {
  const [key, id, at, body] = [Buffer.from('a secret of a webhook'), 'msg_1', '1795348800', '{"type":"order.paid"}'];
  const env = {
    ...shop.env,
    WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
    webhook_id: id,
    webhook_timestamp: at,
    body,
  };
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  assert.equal((await shop.run(block, env)).trim(), expected);
};

/** How the other blocks are run, by page and the beginning of the block. */
const RUN = [
  ['docs/api.md', 'SHOP=', callApi],
  ['docs/zh/api.md', 'SHOP=', callApi],
  ['docs/api.md', 'postern account show-token', showToken],
  ['docs/zh/api.md', 'postern account show-token', showToken],
  ['docs/proxies.md', 'curl "https://shop.example.com/lists/', fetchList],
  ['docs/zh/proxies.md', 'curl "https://shop.example.com/lists/', fetchList],
  ['docs/webhooks.md', 'key=', signWebhook],
  ['docs/zh/webhooks.md', 'key=', signWebhook],
  [
    'docs/backups.md',
    'mkdir -p -m 700',
    (block) => shop.run(block.replaceAll('/var/backups/postern', join(shop.folder, 'backups'))),
  ],
  [
    'docs/backups.md',
    'postern restore',
    async (block) => {
      await shop.run(`postern backup ${join(shop.folder, 'one.tar')}`);
      const env = { ...shop.env, POSTERN_VAR_DIR: join(shop.folder, 'restored') };
      await shop.run(block.replace(/postern-\d+-\d+\.tar/g, join(shop.folder, 'one.tar')), env);
    },
  ],
  ['docs/install.md', 'postern doctor', doctor],
  ['docs/payments.md', 'postern doctor', doctor],
  [
    'docs/install.md',
    'postern init --shop-name',
    (block) => {
      const env = { ...shop.env, POSTERN_VAR_DIR: join(shop.folder, 'new'), POSTERN_TRANSFER_DETAILS: '' };
      return shop.run(block.replace(/postgres:\S+/, `sqlite:${join(shop.folder, 'new.db')}`), env);
    },
  ],
  [
    'docs/install.md',
    'set -a',
    async (block) => {
      const port = await freePort();
      const env = {
        ...shop.env,
        POSTERN_VAR_DIR: join(shop.folder, 'of-file'),
        PORT: String(port),
        POSTERN_TRANSFER_DETAILS: '',
      };
      await shop.run(
        'postern init --shop-name Northlight --public-url https://shop.your.domain --operator you@your.domain --force',
        env,
      );
      await runShop(block, env, port);
    },
  ],
  ['docs/install.md', 'postern account level', (block) => shop.run(block.replace('helper@your.domain', OTHER))],
  ['docs/payments.md', 'postern order settle', settle],
  ['docs/payments.md', 'postern ledger verify', (block) => shop.run(block)],
  ['docs/payments.md', 'postern order refund', refund],
  [
    'docs/traffic.md',
    'export POSTERN_ENV=production',
    async (block) => {
      const port = await freePort();
      const script = block.replace('POSTERN_HOST=0.0.0.0 PORT=8080', `POSTERN_HOST=127.0.0.1 PORT=${port}`);
      await runShop(script.replace('/var/lib/postern', join(shop.folder, 'production')), shop.env, port);
    },
  ],
  [
    'docs/traffic.md',
    'target/release/postern account level',
    (block) => shop.run(block.replace('seller@example.com', OTHER)),
  ],
  ['docs/traffic.md', 'cat >nodes.csv', (block) => shop.run(block)],
  [
    'docs/traffic.md',
    'install -m 600',
    async (block) =>
      runGate(block, [
        ['http://127.0.0.1:8080', shop.url],
        ['0.0.0.0:8000', `127.0.0.1:${await freePort()}`],
      ]),
  ],
  ['docs/traffic.md', 'target/release/postern order settle', settle],
  ['docs/traffic.md', 'postern proxy-server add', (block) => shop.run(block.replace('gate-1', 'gate-2'))],
  ['docs/traffic.md', 'postern-gate --url', gate],
  ['gate/README.md', 'postern-gate --url', gate],
  [
    'docs/traffic.md',
    'postern proxy-server assign',
    async (block) => {
      const header = 'ip,http_port,socks5_port,country,city,isp,asn,ver_str\n';
      const nodes = ['203.0.113.5', '198.51.100.7'].map(
        (ip) => `${ip},8000,,US,new-york,Example ISP,64500,shared ISP proxies plan\n`,
      );
      await shop.run(
        `printf '${header}${nodes.join('')}' >more.csv; postern inventory import more.csv`.replaceAll('\n', '\\n'),
      );
      await shop.run('postern proxy-server add gate-3 --kind static --host gate.example.com --http-port 8000');
      await shop.run(block.replace('gate-1', 'gate-3'));
    },
  ],
  ['docs/traffic.md', 'curl -X POST https://shop.example.com/proxy-server/authorize', askAsServer('Allowed')],
  ['docs/traffic.md', 'curl -X POST https://shop.example.com/proxy-server/usage', askAsServer('Counted')],
];

async function gate(block) {
  const secret = join(shop.folder, 'secret');
  await shop.run(`(umask 077; echo '${await newServer('static')}' >${secret})`);
  await runGate(block, [
    ['https://shop.example.com', shop.url],
    ['/etc/postern-gate/secret', secret],
    ['/var/lib/postern-gate', join(shop.folder, 'spool')],
    ['0.0.0.0:8000', `127.0.0.1:${await freePort()}`],
    ['0.0.0.0:1080', `127.0.0.1:${await freePort()}`],
    ['127.0.0.1:9090', `127.0.0.1:${await freePort()}`],
  ]);
}

/** Sends a request of a proxy server; the answer must have this field. */
function askAsServer(field) {
  return async (block) => {
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const script = block
      .replace('https://shop.example.com', shop.url)
      .replace('curl ', 'curl -sS --fail ')
      .replace('2026-11-22 11:59:00', now);
    const answer = await shop.run(script, { ...shop.env, SECRET: await newServer('residential') });
    assert.ok(field in JSON.parse(answer), answer);
  };
}

/** All blocks of commands, without the indentation of a list. */
const blocks = PAGES.flatMap((page) =>
  [...readFileSync(join(repository, page), 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(
    ([, indent, text]) => ({
      page,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
);
const fits = ([page, beginning], block) => page === block.page && block.text.startsWith(beginning);
const titleOf = ({ page, text }) => `${page}: ${text.split('\n')[0]}`;

const helps = new Map();
/** What a program says about a subcommand. */
function helpOf(program, words) {
  const key = [program, ...words].join(' ');
  if (!helps.has(key)) {
    helps.set(
      key,
      execFileSync(program, [...words, '--help'], {
        env: shop.env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  }
  return helps.get(key);
}

/** Compares the subcommands and flags of `postern …` and `postern-gate …` in a text with their help. */
function checkFlags(text) {
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    for (const { index, 1: program, 2: rest } of line.matchAll(/(?<![\w.-])(postern|postern-gate) (?=([^#|>&]*))/g)) {
      const words = [];
      for (const word of rest.trim().split(/\s+/)) {
        if (!/^[a-z][a-z-]*$/.test(word) || !new RegExp(`^ {2}${word}\\b`, 'm').test(helpOf(program, words))) break;
        words.push(word);
      }
      if (program === 'postern' && words.length === 0) {
        // Within a line the name also stands for a user, a unit, an image or a folder.
        assert.ok(index > 0, `no such command: ${line}`);
        continue;
      }
      for (const [flag] of rest.matchAll(/(?<=\s|^)--[a-z][a-z0-9-]*/g)) {
        assert.match(
          helpOf(program, words),
          new RegExp(`${flag}\\b`),
          `${program} ${words.join(' ')} does not know ${flag}: ${line}`,
        );
      }
    }
  }
}

test('every block is run, or on the list with its reason', () => {
  assert.ok(blocks.length > 30);
  for (const block of blocks) {
    const ways = [...RUN, ...NOT_RUN].filter((entry) => fits(entry, block));
    assert.equal(ways.length, 1, `${titleOf(block)}: has ${ways.length} entries in scripts/docs-commands.mjs`);
  }
});

test('every entry of both lists has a block', () => {
  const unneeded = [...RUN, ...NOT_RUN].filter((entry) => !blocks.some((block) => fits(entry, block)));
  assert.deepEqual(
    unneeded.map(([page, beginning]) => `${page}: ${beginning}`),
    [],
  );
});

for (const block of blocks) {
  const way = RUN.find((entry) => fits(entry, block));
  test(titleOf(block), () => (way ? way[2](block.text) : checkFlags(block.text)));
}

test('the commands named in the texts and tables exist', () => {
  for (const page of PAGES) {
    const prose = readFileSync(join(repository, page), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');
    for (const [, command] of prose.matchAll(/`(postern(?:-gate)? [a-z][^`]*)`/g)) checkFlags(command);
  }
});
