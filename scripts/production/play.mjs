// The play of scripts/production.sh: a shop is opened and sells, a server is killed, all are upgraded, and not a cent or a request is lost: play.mjs PORT…
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from './load.mjs';
import { PASSWORD, call, mailTo, waitFor } from './shop.mjs';

const { FOLDER, BOSS, INNER, LOAD_SECONDS } = process.env;
const ports = process.argv.slice(2);
const NAMES = ['a', 'b', 'c'];
const PLAN = 'shared ISP proxies plan';
const NODES = LOAD_SECONDS ? 20_000 : 3_000;
const TOP_UPS = LOAD_SECONDS ? 10 : 1;
const ACT_MS = 6_000;
const STATIC = '127.31.77.1';

/** A command of the installed program, as an operator types it in a shell with the shop's settings. */
const postern = (...words) =>
  execFileSync('bash', ['-c', 'set -a; . "$FOLDER/postern.env"; exec "$FOLDER/server-a/program/bin/postern" "$@"', 'bash', ...words], { encoding: 'utf8' });

const pidOf = (name) => Number(readFileSync(`${FOLDER}/server-${name}/pid`, 'utf8'));
const release = (name) => readlinkSync(`/proc/${pidOf(name)}/exe`);

/** Whether a server answers by itself that it is ready. */
const isReady = (index) => fetch(`http://127.0.0.1:${ports[index]}/health/ready`).then(({ ok }) => ok, () => false);

async function act(name, play) {
  const began = Date.now();
  await play();
  console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

let boss;
let customer;
let order;
let gate;

await act('three servers are ready behind HAProxy', async () => {
  for (const index of NAMES.keys()) await waitFor(() => isReady(index), `server ${NAMES[index]}`);
  await waitFor(() => call('SystemSettings/GetClientIp', undefined, undefined, 'GET').then(() => true, () => false), 'the shop behind HAProxy');
});

await act('the operator chooses a password, imports nodes, sets a price and sells', async () => {
  const link = /http\S+[?&]\w+=(\S+)/.exec(readFileSync(`${FOLDER}/init.txt`, 'utf8'));
  await call('User/ResetPassword', { ResetToken: link?.[1], Password: PASSWORD });
  boss = (await call('User/Login', { Email: BOSS, Password: PASSWORD })).Token;
  const rows = Array.from({ length: NODES }, (_, index) => `93.184.${216 - (index >> 8)}.${index & 255},8000,8000,US,new-york,Example ISP,64500,${PLAN}`);
  writeFileSync(`${FOLDER}/nodes.csv`, ['ip,http_port,socks5_port,country,city,isp,asn,ver_str', ...rows].join('\n'));
  postern('inventory', 'import', `${FOLDER}/nodes.csv`);
  postern('prices', 'set-tier', PLAN, '5');
  postern('prices', 'sell-tier', PLAN);
});

await act('a customer signs up, pays by bank transfer and buys', async () => {
  const Email = 'ann@example.com';
  await call('User/SignUp', { Email, Password: PASSWORD, Language: 'en', TimeZone: 'Asia/Shanghai' });
  const token = /^http\S+[?&]\w+=(\S+)$/m.exec(await mailTo(NAMES.map((name) => `${FOLDER}/server-${name}/var/mail`), Email))?.[1];
  customer = (await call('User/VerifyEmail', { VerifyToken: token, Password: PASSWORD })).Token;
  for (let number = 0; number < TOP_UPS; number += 1) {
    const { Order } = await call('Wallet/CreateTopUp', { Amount: '10000.00', PaymentMethod: 'transfer' }, customer);
    postern('order', 'settle', Order.OrderNumber, '--amount', '10000.00');
  }
  order = { VerStr: PLAN, PeriodDays: 30, Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }], ExpectedTotal: '5.00', PayFromWallet: true };
  await call('Order/CreateOrder', order, customer);
});

await act('a gate joins, and what was bought carries traffic', async () => {
  const { Rows: [node] } = await call('Ips/GetUserNodeList', { Page: 1, PageSize: 1 }, customer);
  const told = postern('proxy-server', 'add', 'gate-1', '--kind', 'static', '--host', 'gate.example.com', '--http-port', '8000', '--socks5-port', '8000');
  writeFileSync(`${FOLDER}/gate.secret`, told.trim().split('\n').at(-1), { mode: 0o600 });
  postern('proxy-server', 'assign', '93.184.0.0/16', '--server', 'gate-1');
  // The machine is behind NAT: it has another address for the node.
  writeFileSync(`${FOLDER}/addresses`, `${node.Ip} = ${STATIC}\n`);
  const log = openSync(`${FOLDER}/gate.log`, 'w');
  gate = spawn(`${FOLDER}/release/bin/postern-gate`, ['--url', INNER, '--secret-file', `${FOLDER}/gate.secret`, '--listen', `${STATIC}:8000`, '--spool', `${FOLDER}/spool`,
    '--addresses', `${FOLDER}/addresses`, '--allow', INNER.replace('http://', ''), '--only-loopback'], { stdio: ['ignore', log, log] });
  process.on('exit', () => gate.kill());
  const answer = await waitFor(() => through(node).catch(() => undefined), 'an answer through the gate');
  assert.equal(JSON.parse(answer).Data.Ip, STATIC, 'the exit');
});

/** The shop's answer to who asks, through the gate. */
function through({ UserName, Password }) {
  const headers = { 'Proxy-Authorization': `Basic ${Buffer.from(`${UserName}:${Password}`).toString('base64')}`, Host: INNER.replace('http://', '') };
  return new Promise((resolve, reject) => {
    const request = http.get({ host: STATIC, port: 8000, path: `${INNER}/api/SystemSettings/GetClientIp`, headers, localAddress: '127.0.0.1' }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${response.statusCode} ${text}`));
    });
    request.on('error', reject);
  });
}

const load = (pause) => Load.start({ customer, boss, order, workers: 12, pause });
let bought = 1;

await act('one server is killed under load: only what it was answering fails', async () => {
  const running = load();
  await sleep(ACT_MS / 2);
  const pid = pidOf('b');
  process.kill(pid, 'SIGKILL');
  // Until the system has closed its connections, it still takes requests.
  const isOpen = () => existsSync(`/proc/${pid}/fd/0`) || (existsSync(`/proc/${pid}/task`) && readdirSync(`/proc/${pid}/task`).length > 1);
  while (isOpen()) await sleep(1);
  const killedAt = performance.now();
  await sleep(ACT_MS);
  const { failures, orders } = await running.ends('killed');
  for (const { call, began, error } of failures) assert.ok(began <= killedAt, `${call} began ${(began - killedAt).toFixed(1)} ms after the kill and failed: ${error}`);
  bought += orders;
  await waitFor(() => isReady(1), 'the killed server');
});

await act('all servers are upgraded under load: nothing fails', async () => {
  const before = release('a');
  const running = load();
  await sleep(ACT_MS / 4);
  for (const [index, name] of NAMES.entries()) {
    const pid = pidOf(name);
    symlinkSync(`${FOLDER}/next`, `${FOLDER}/server-${name}/following`);
    renameSync(`${FOLDER}/server-${name}/following`, `${FOLDER}/server-${name}/program`);
    process.kill(pid, 'SIGTERM');
    await waitFor(async () => pidOf(name) !== pid && (await isReady(index)), `the upgraded server ${name}`);
    assert.notEqual(release(name), before);
    await sleep(ACT_MS / 4);
  }
  const { failures, orders } = await running.ends('upgraded');
  assert.deepEqual(failures, []);
  bought += orders;
});

if (LOAD_SECONDS) {
  await act('a long load', async () => {
    const running = load(200);
    await running.watch(Number(LOAD_SECONDS) * 1000, () => NAMES.map(pidOf), `http://127.0.0.1:${readFileSync(`${FOLDER}/metrics-port`, 'utf8').trim()}/metrics`);
    const { failures, orders } = await running.ends('long');
    assert.deepEqual(failures, []);
    bought += orders;
  });
}

await act('each order was placed once, and the books agree', async () => {
  const { Total } = await call('Ips/GetUserNodeList', { Page: 1, PageSize: 1 }, customer);
  assert.equal(Total, bought, 'nodes');
  console.log(postern('ledger', 'verify').trim().split('\n').map((line) => `          ${line}`).join('\n'));
});
gate.kill();
