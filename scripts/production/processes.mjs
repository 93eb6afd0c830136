// The shop of the play as processes of this machine, which scripts/production.sh has started.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from './shop.mjs';

const { FOLDER, INNER, PORTS } = process.env;
const STATIC = '127.31.77.1';

export const SERVERS = PORTS.split(' ').map((port, index) => ({ name: 'abc'[index], url: `http://127.0.0.1:${port}` }));
export const mailFolders = SERVERS.map(({ name }) => `${FOLDER}/server-${name}/var/mail`);
export const firstLink = () => readFileSync(`${FOLDER}/init.txt`, 'utf8');
export const metrics = `http://127.0.0.1:${readFileSync(`${FOLDER}/metrics-port`, 'utf8').trim()}/metrics`;

/** A command of the installed program, as an operator types it in a shell with the shop's settings. */
export const postern = (...words) =>
  execFileSync('bash', ['-c', 'set -a; . "$FOLDER/postern.env"; exec "$FOLDER/server-a/program/bin/postern" "$@"', 'bash', ...words], { encoding: 'utf8' });

/** A file that the command can read. */
export function file(name, text) {
  writeFileSync(`${FOLDER}/${name}`, text);
  return `${FOLDER}/${name}`;
}

/** Starts a gate that has this node; resolves to what curl is told to go through it, and to the exit that the shop then sees. */
export async function openGate(secret, { Ip }) {
  writeFileSync(`${FOLDER}/gate.secret`, secret, { mode: 0o600 });
  // The machine is behind NAT: it has another address for the node.
  const addresses = file('addresses', `${Ip} = ${STATIC}\n`);
  const log = openSync(`${FOLDER}/gate.log`, 'w');
  const gate = spawn(`${FOLDER}/release/bin/postern-gate`, ['--url', INNER, '--secret-file', `${FOLDER}/gate.secret`, '--listen', `${STATIC}:8000`, '--spool', `${FOLDER}/spool`,
    '--addresses', addresses, '--allow', INNER.replace('http://', ''), '--only-loopback'], { stdio: ['ignore', log, log] });
  process.on('exit', () => gate.kill());
  return { curl: ['--interface', '127.0.0.1', '--proxy', `http://${STATIC}:8000`], shop: INNER, exit: STATIC };
}

const pidOf = (name) => Number(readFileSync(`${FOLDER}/server-${name}/pid`, 'utf8'));

/** The executable file that runs. */
export const program = (name) => readlinkSync(`/proc/${pidOf(name)}/exe`);

export const memory = () => SERVERS.map(({ name }) => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pidOf(name)}/status`, 'utf8'))?.[1]) / 1024);

/** Kills a server, and waits until it can take no request: until the system has closed its connections, it seems to. */
export async function kill(name) {
  const pid = pidOf(name);
  process.kill(pid, 'SIGKILL');
  const isOpen = () => existsSync(`/proc/${pid}/fd/0`) || (existsSync(`/proc/${pid}/task`) && readdirSync(`/proc/${pid}/task`).length > 1);
  while (isOpen()) await sleep(1);
}

export async function upgrade(name) {
  const pid = pidOf(name);
  symlinkSync(`${FOLDER}/next`, `${FOLDER}/server-${name}/following`);
  renameSync(`${FOLDER}/server-${name}/following`, `${FOLDER}/server-${name}/program`);
  process.kill(pid, 'SIGTERM');
  await waitFor(() => pidOf(name) !== pid, `the upgraded server ${name}`);
}
