// The play of scripts/production.sh and scripts/machines.sh: a shop is opened and sells, a server is killed, all are upgraded, and not a cent or a request is lost.
// MACHINERY is the module that knows where its servers run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from './load.mjs';
import { PASSWORD, call, mailTo, waitFor } from './shop.mjs';

const { BOSS, LOAD_SECONDS, MACHINERY } = process.env;
const { SERVERS, mailFolders, firstLink, metrics, postern, file, openGate, program, memory, kill, upgrade } = await import(MACHINERY);
const PLAN = 'shared ISP proxies plan';
const NODES = LOAD_SECONDS ? 20_000 : 3_000;
const TOP_UPS = LOAD_SECONDS ? 10 : 1;
const ACT_MS = 6_000;

/** Whether a server answers by itself that it is ready. */
const isReady = ({ url }) => fetch(`${url}/health/ready`).then(({ ok }) => ok, () => false);

async function act(name, play) {
  const began = Date.now();
  await play();
  console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

let boss;
let customer;
let order;

await act('three servers are ready behind HAProxy', async () => {
  for (const server of SERVERS) await waitFor(() => isReady(server), `server ${server.name}`);
  await waitFor(() => call('SystemSettings/GetClientIp', undefined, undefined, 'GET').then(() => true, () => false), 'the shop behind HAProxy');
});

await act('the operator chooses a password, imports nodes, sets a price and sells', async () => {
  const link = /http\S+[?&]\w+=(\S+)/.exec(firstLink());
  await call('User/ResetPassword', { ResetToken: link?.[1], Password: PASSWORD });
  boss = (await call('User/Login', { Email: BOSS, Password: PASSWORD })).Token;
  const rows = Array.from({ length: NODES }, (_, index) => `93.184.${216 - (index >> 8)}.${index & 255},8000,8000,US,new-york,Example ISP,64500,${PLAN}`);
  await postern('inventory', 'import', file('nodes.csv', ['ip,http_port,socks5_port,country,city,isp,asn,ver_str', ...rows].join('\n')));
  await postern('prices', 'set-tier', PLAN, '5');
  await postern('prices', 'sell-tier', PLAN);
});

await act('a customer signs up, pays by bank transfer and buys', async () => {
  const Email = 'ann@example.com';
  await call('User/SignUp', { Email, Password: PASSWORD, Language: 'en', TimeZone: 'Asia/Shanghai' });
  const token = /^http\S+[?&]\w+=(\S+)$/m.exec(await mailTo(mailFolders, Email))?.[1];
  customer = (await call('User/VerifyEmail', { VerifyToken: token, Password: PASSWORD })).Token;
  for (let number = 0; number < TOP_UPS; number += 1) {
    const { Order } = await call('Wallet/CreateTopUp', { Amount: '10000.00', PaymentMethod: 'transfer' }, customer);
    await postern('order', 'settle', Order.OrderNumber, '--amount', '10000.00');
  }
  order = { VerStr: PLAN, PeriodDays: 30, Lines: [{ Country: 'US', City: 'new-york', Quantity: 1 }], ExpectedTotal: '5.00', PayFromWallet: true };
  await call('Order/CreateOrder', order, customer);
});

await act('a gate joins, and what was bought carries traffic', async () => {
  const { Rows: [node] } = await call('Ips/GetUserNodeList', { Page: 1, PageSize: 1 }, customer);
  const told = await postern('proxy-server', 'add', 'gate-1', '--kind', 'static', '--host', 'gate.example.com', '--http-port', '8000', '--socks5-port', '8000');
  await postern('proxy-server', 'assign', '93.184.0.0/16', '--server', 'gate-1');
  const { curl, shop, exit } = await openGate(told.trim().split('\n').at(-1), node);
  const proxy = ['--silent', '--fail', '--max-time', '10', ...curl, '--proxy-user', `${node.UserName}:${node.Password}`, `${shop}/api/SystemSettings/GetClientIp`];
  const through = async () => execFileSync('curl', proxy, { encoding: 'utf8' });
  const answer = await waitFor(() => through().catch(() => undefined), 'an answer through the gate');
  assert.equal(JSON.parse(answer).Data.Ip, exit, 'the exit');
});

const load = (pause) => Load.start({ customer, boss, order, workers: 12, pause });
let bought = 1;

await act('one server is killed under load: only what it was answering fails', async () => {
  const running = load();
  await sleep(ACT_MS / 2);
  await kill(SERVERS[1].name);
  const killedAt = performance.now();
  await sleep(ACT_MS);
  const { failures, orders } = await running.ends('killed');
  for (const { call, began, error } of failures) assert.ok(began <= killedAt, `${call} began ${(began - killedAt).toFixed(1)} ms after the kill and failed: ${error}`);
  bought += orders;
  await waitFor(() => isReady(SERVERS[1]), 'the killed server');
});

await act('all servers are upgraded under load: nothing fails', async () => {
  const before = await program(SERVERS[0].name);
  const running = load();
  await sleep(ACT_MS / 4);
  for (const server of SERVERS) {
    await upgrade(server.name);
    await waitFor(() => isReady(server), `the upgraded server ${server.name}`);
    assert.notEqual(await program(server.name), before);
    await sleep(ACT_MS / 4);
  }
  const { failures, orders } = await running.ends('upgraded');
  assert.deepEqual(failures, []);
  bought += orders;
});

if (LOAD_SECONDS) {
  await act('a long load', async () => {
    const running = load(200);
    await running.watch(Number(LOAD_SECONDS) * 1000, memory, metrics);
    const { failures, orders } = await running.ends('long');
    assert.deepEqual(failures, []);
    bought += orders;
  });
}

await act('each order was placed once, and the books agree', async () => {
  const { Total } = await call('Ips/GetUserNodeList', { Page: 1, PageSize: 1 }, customer);
  assert.equal(Total, bought, 'nodes');
  console.log((await postern('ledger', 'verify')).trim().split('\n').map((line) => `          ${line}`).join('\n'));
});
process.exit();
