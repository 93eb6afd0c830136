// The shop of the play on the machines that scripts/machines.sh has booted, installed by the commands of docs/production.md.
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitFor } from './shop.mjs';

const { FOLDER } = process.env;
const run = promisify(execFile);
const HAPROXY_AGAIN_MS = 5_000;
export const SERVERS = ['a', 'b', 'c'].map((name, index) => ({ name, url: `http://10.0.0.${11 + index}:8080` }));
export const mailFolders = SERVERS.map(({ name }) => rootOf(name, 'var/lib/postern/mail'));
export const metrics = 'http://10.0.0.11:9464/metrics';

function rootOf(name, path) {
  return `${FOLDER}/${name}/root/${path}`;
}

const leaderOf = (machine) => readFileSync(`${FOLDER}/${machine}/pid`, 'utf8').trim();

/** Runs commands in root's shell on a machine; resolves to what they print. */
async function on(machine, commands, ...words) {
  const environment = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'DEBIAN_FRONTEND=noninteractive'];
  const shell = [...environment, 'bash', '-euo', 'pipefail', '-c', `cd /root\n${commands}`, 'bash', ...words];
  const going = run('nsenter', ['--target', leaderOf(machine), '--all', '--', ...shell]);
  going.child.stdin.end();
  return going.then(
    ({ stdout }) => stdout,
    (error) => {
      throw new Error(`on ${machine}:\n${commands}\n${error.stdout}${error.stderr}`);
    },
  );
}

const blocks = [...readFileSync('docs/production.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text);
/** A block of commands of the page, by a part of their text. */
function block(part) {
  const [found, another] = blocks.filter((text) => text.includes(part));
  if (!found || another) throw new Error(`docs/production.md has ${found ? 'several blocks' : 'no block'} with ${part}`);
  return found;
}

for (const name of ['db', 'balancer', 'gate', ...SERVERS.map(({ name }) => name)]) {
  const state = () => on(name, 'systemctl is-system-running || true').catch(() => 'starting');
  await waitFor(async () => (await state()).trim() !== 'starting', `systemd on ${name}`);
}

// As where Debian's package has just been installed.
await on('db', 'systemctl start postgresql');
await on('db', block('apt install postgresql'));
for (const { name } of SERVERS) await on(name, `${block('apt install ./postern_*')}${block('postern.socket.d')}`);
const opened = await on('a', block('--database-url').replace('sudo -u postern ', "sudo -u postern POSTERN_TRANSFER_DETAILS='Example Bank' POSTERN_METRICS=0.0.0.0:9464 "));
export const firstLink = () => opened;
for (const { name } of SERVERS.slice(1)) {
  copyFileSync(rootOf('a', 'root/shared.env'), rootOf(name, 'root/shared.env'));
  await on(name, block('shared.env /etc/postern'));
}
for (const { name } of SERVERS) await on(name, block('enable --now postern.socket postern\n'));

const cert = ['cert', 'key'].map((part) => readFileSync(`${FOLDER}/${part}.pem`, 'utf8')).join('');
writeFileSync(rootOf('balancer', 'root/shop.your.domain.pem'), cert, { mode: 0o600 });
// Whoever starts the machines may not have the right to so many open files.
const haproxy = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8').replace('maxconn 20000', 'maxconn 1000').replaceAll('shop.example.com', 'shop.your.domain').replace(/^ *server [ab] .*\n/gm, '');
writeFileSync(rootOf('balancer', 'root/haproxy.cfg'), `${haproxy}${SERVERS.map(({ name, url }) => `    server ${name} ${url.replace('http://', '')}\n`).join('')}`);
await on('balancer', 'systemctl start haproxy');
await on('balancer', block('apt install haproxy'));

const [, asPostern] = /^(sudo -u postern sh -c '.*) doctor'$/m.exec(block('exec postern doctor'));

/** A command of the installed program, with the shop's settings. */
export const postern = (...words) => on('a', `${asPostern} "$@"' postern "$@"`, ...words);

/** A file that the command can read. */
export function file(name, text) {
  writeFileSync(rootOf('a', `srv/${name}`), text);
  return `/srv/${name}`;
}

/** Installs the gate on the machine that has this node; resolves to what curl is told to go through it, and to the exit that the shop then sees. */
export async function openGate(secret, { Ip }) {
  await run('nsenter', ['--target', leaderOf('gate'), '--net', 'ip', 'address', 'add', `${Ip}/32`, 'dev', 'host0']);
  writeFileSync(rootOf('gate', 'root/secret'), secret);
  // It trusts the authorities of the world, which have not signed the certificate of this play.
  await on('gate', block('apt install ./postern-gate').replace('https://shop.your.domain', SERVERS[0].url));
  return { curl: ['--cacert', `${FOLDER}/authority.pem`, '--proxy', `http://${Ip}:8000`], shop: 'https://shop.your.domain', exit: Ip };
}

const pidOf = async (name) => (await on(name, 'systemctl show --property MainPID --value postern')).trim();

/** What tells one start of the program from the next. */
export const program = async (name) => `${name} ${await pidOf(name)}`;

export const memory = () =>
  Promise.all(SERVERS.map(async ({ name }) => Number(await on(name, `sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/${await pidOf(name)}/status`)) / 1024));

export async function kill(name) {
  const pid = await pidOf(name);
  await on(name, `kill -KILL ${pid}; while [ -e /proc/${pid}/fd/0 ]; do :; done`);
}

/** One request on a connection of its own, as of somebody without HAProxy. */
const asksAlone = (url) =>
  new Promise((resolve, reject) => {
    http.get(`${url}/health/live`, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });

/** Installs the release again, meanwhile asking the server itself: nobody is refused. */
export async function upgrade(name) {
  const { url } = SERVERS.find((server) => server.name === name);
  const before = await pidOf(name);
  let isOver = false;
  const asked = (async () => {
    for (; !isOver; await sleep(50)) await asksAlone(url);
  })();
  const installed = on(name, block('apt install ./postern_*').replace('apt install', 'apt install --reinstall')).finally(() => {
    isOver = true;
  });
  await Promise.all([asked, installed]);
  await waitFor(async () => !['0', before].includes(await pidOf(name)), `the upgraded server ${name}`);
  await sleep(HAPROXY_AGAIN_MS);
}
