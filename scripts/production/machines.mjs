// The shop of the play on the machines that scripts/machines.sh has booted, installed by the commands of docs/production.md.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from './shop.mjs';

const { FOLDER } = process.env;
const HAPROXY_AGAIN_MS = 5_000;
export const SERVERS = ['a', 'b', 'c'].map((name, index) => ({ name, url: `http://10.0.0.${11 + index}:8080` }));
export const mailFolders = SERVERS.map(({ name }) => rootOf(name, 'var/lib/postern/mail'));
export const metrics = 'http://10.0.0.11:9464/metrics';

function rootOf(name, path) {
  return `${FOLDER}/${name}/root/${path}`;
}

/** Runs commands in root's shell on a machine, and returns what they print. */
function on(machine, commands, ...words) {
  const leader = readFileSync(`${FOLDER}/${machine}/pid`, 'utf8').trim();
  const environment = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'DEBIAN_FRONTEND=noninteractive'];
  const shell = [...environment, 'bash', '-euo', 'pipefail', '-c', `cd /root\n${commands}`, 'bash', ...words];
  try {
    return execFileSync('nsenter', ['--target', leader, '--all', '--', ...shell], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`on ${machine}:\n${commands}\n${error.stdout}${error.stderr}`);
  }
}

const blocks = [...readFileSync('docs/production.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text);
/** A block of commands of the page, by a part of their text. */
function block(part) {
  const [found, another] = blocks.filter((text) => text.includes(part));
  if (!found || another) throw new Error(`docs/production.md has ${found ? 'several blocks' : 'no block'} with ${part}`);
  return found;
}

await waitFor(() => ['db', 'balancer', 'gate', ...SERVERS.map(({ name }) => name)].every((name) => {
  try {
    return on(name, 'systemctl is-system-running || true').trim() !== 'starting';
  } catch {
    return false;
  }
}), 'systemd on the machines');

// As where Debian's package has just been installed.
on('db', 'systemctl start postgresql');
on('db', block('apt install postgresql'));
for (const { name } of SERVERS) on(name, `${block('apt install ./postern_*')}${block('postern.socket.d')}`);
const opened = on('a', block('--database-url').replace('sudo -u postern ', "sudo -u postern POSTERN_TRANSFER_DETAILS='Example Bank' POSTERN_METRICS=0.0.0.0:9464 "));
export const firstLink = () => opened;
for (const { name } of SERVERS.slice(1)) {
  copyFileSync(rootOf('a', 'root/shared.env'), rootOf(name, 'root/shared.env'));
  on(name, block('shared.env /etc/postern'));
}
for (const { name } of SERVERS) on(name, block('enable --now postern.socket postern\n'));

const cert = ['cert', 'key'].map((part) => readFileSync(`${FOLDER}/${part}.pem`, 'utf8')).join('');
writeFileSync(rootOf('balancer', 'etc/haproxy/shop.your.domain.pem'), cert, { mode: 0o600 });
// Whoever starts the machines may not have the right to so many open files.
const haproxy = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8').replace('maxconn 20000', 'maxconn 1000').replaceAll('shop.example.com', 'shop.your.domain').replace(/^ *server [ab] .*\n/gm, '');
writeFileSync(rootOf('balancer', 'root/haproxy.cfg'), `${haproxy}${SERVERS.map(({ name, url }) => `    server ${name} ${url.replace('http://', '')}\n`).join('')}`);
on('balancer', 'systemctl start haproxy');
on('balancer', block('apt install haproxy'));

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
  execFileSync('nsenter', ['--target', readFileSync(`${FOLDER}/gate/pid`, 'utf8').trim(), '--net', 'ip', 'address', 'add', `${Ip}/32`, 'dev', 'host0']);
  writeFileSync(rootOf('gate', 'root/secret'), secret);
  // It trusts the authorities of the world, which have not signed the certificate of this play.
  on('gate', block('apt install ./postern-gate').replace('https://shop.your.domain', SERVERS[0].url));
  return { curl: ['--cacert', `${FOLDER}/authority.pem`, '--proxy', `http://${Ip}:8000`], shop: 'https://shop.your.domain', exit: Ip };
}

const pidOf = (name) => on(name, 'systemctl show --property MainPID --value postern').trim();

/** What tells one start of the program from the next. */
export const program = (name) => `${name} ${pidOf(name)}`;

export const memory = () => SERVERS.map(({ name }) => Number(on(name, `sed -n 's/^VmRSS: *\\([0-9]*\\).*/\\1/p' /proc/${pidOf(name)}/status`)) / 1024);

export async function kill(name) {
  const pid = pidOf(name);
  on(name, `kill -KILL ${pid}; while [ -e /proc/${pid}/fd/0 ]; do :; done`);
}

export async function upgrade(name) {
  const before = pidOf(name);
  on(name, block('apt install ./postern_*').replace('apt install', 'apt install --reinstall'));
  await waitFor(() => !['0', before].includes(pidOf(name)), `the upgraded server ${name}`);
  await sleep(HAPROXY_AGAIN_MS);
}
