// The gates of the demo's proxy servers, as `make run` starts them, and curl through them.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './demoShop';
import type { Shop } from './shop';

const GATE = process.env.POSTERN_GATE_BINARY ?? join(ROOT, 'target/debug/postern-gate');
/** The ports of the demo's proxies. */
const LISTENS = {
  static: ['--listen', '0.0.0.0:17000', '--listen', '0.0.0.0:17001'],
  residential: [
    '--listen',
    '127.0.0.1:17002',
    '--listen',
    '127.0.0.1:17003',
    '--exit',
    '127.31.0.1',
    '--exit',
    '127.31.0.2',
  ],
} as const;
const FIRST_PORTS = { static: 17_000, residential: 17_002 };

export type GateKind = keyof typeof LISTENS;

/** Starts the gate of one of the demo's proxy servers; returns what stops it. */
export async function openGate(shop: Shop, kind: GateKind): Promise<() => Promise<void>> {
  const secret = ['--secret-file', join(shop.folder, `demo-${kind}.secret`)];
  const spool = ['--spool', join(shop.folder, `gate-${kind}`)];
  const allowed = ['--only-loopback', '--allow', new URL(shop.url).host];
  const gate = spawn(GATE, ['--url', shop.url, ...secret, ...spool, ...allowed, ...LISTENS[kind]], {
    env: { ...process.env, RUST_LOG: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await isListening(gate, FIRST_PORTS[kind]);
  return async () => {
    const gone = new Promise((done) => gate.once('exit', done));
    gate.kill('SIGTERM');
    await gone;
  };
}

async function isListening(gate: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (gate.exitCode !== null) throw new Error(`the gate has ended: is port ${port} in use?`);
    const answered = await new Promise((told) => {
      const socket = connect(port, '127.0.0.1', () => told(true)).once('error', () => told(false));
      socket.once('connect', () => socket.destroy());
    });
    if (answered) return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('the gate does not listen');
}

export interface Curled {
  /** Of curl: 0, or why it failed. */
  code: number;
  /** What it printed. */
  text: string;
}

/** Runs a command line that the product shows, as a person would paste it into a shell. */
export async function pastes(line: string): Promise<Curled> {
  // Neither a progress meter, nor the proxy settings of this machine.
  const shell = ['-c', line.replace(/^curl /, 'curl -sS --max-time 20 --noproxy "" ')];
  try {
    return { code: 0, text: (await promisify(execFile)('sh', shell)).stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: `${stdout}${stderr}` };
  }
}
