// The shop as a customer or a script asks it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const PASSWORD = 'correct horse battery 21';
const LONGEST_MS = 60_000;
const { SHOP } = process.env;
const agent = new (SHOP.startsWith('https') ? https : http).Agent({ keepAlive: true, maxSockets: 64 });

/** Asks for a path; resolves to status and text, and fails if the connection does. */
export function ask(path, { method = 'POST', headers = {}, body } = {}) {
  const { request } = SHOP.startsWith('https') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(`${SHOP}${path}`, { method, agent, headers, timeout: LONGEST_MS }, async (response) => {
      try {
        let text = '';
        for await (const part of response) text += part;
        resolve({ status: response.statusCode, text });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Makes a call; fails if it is refused. */
export async function call(name, parameters, Token, method = 'POST', key) {
  const headers = { ...(method === 'POST' && { 'Content-Type': 'application/json' }), ...(Token && { Token }), ...(key && { 'Idempotency-Key': key }) };
  const { status, text } = await ask(`/api/${name}`, { method, headers, body: method === 'POST' ? JSON.stringify(parameters ?? {}) : undefined });
  if (status !== 200) throw new Error(`${name}: ${status} ${text.slice(0, 200)}`);
  const { Code, Data } = JSON.parse(text);
  if (Code !== 1000) throw new Error(`${name}: ${text.slice(0, 300)}`);
  return Data;
}

/** Waits until something is there. */
export async function waitFor(look, what) {
  for (const end = Date.now() + LONGEST_MS; ; await sleep(100)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} does not come`);
  }
}

/** The newest mail to an address, in any of the folders. */
export const mailTo = (folders, address) =>
  waitFor(async () => {
    for (const folder of folders.filter((folder) => existsSync(folder))) {
      for (const name of readdirSync(folder)) {
        const text = readFileSync(join(folder, name), 'utf8');
        if (name.endsWith('.txt') && text.includes(address)) return text;
      }
    }
    return undefined;
  }, `a mail to ${address}`);
