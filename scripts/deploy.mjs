// Visits a shop through a reverse proxy: TLS, who asks, large uploads, and a chat that goes on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const [name, plain, secure, accounts] = process.argv.slice(2);
const passwords = JSON.parse(readFileSync(accounts, 'utf8'));
// Another address of this machine: the proxy must tell it, and not its own.
const VISITOR = '127.0.0.5';
const LONGEST_MS = 20_000;

/** Requests through the proxy; resolves to the response, whose body is not read yet. */
function ask(path, { method = 'GET', headers = {}, body, over = 'https' } = {}) {
  const port = over === 'https' ? secure : plain;
  const options = { host: '127.0.0.1', port, path, method, localAddress: VISITOR, servername: 'shop.example.com' };
  const sent = { Host: `shop.example.com:${port}`, ...headers };
  return new Promise((resolve, reject) => {
    const request = (over === 'https' ? https : http).request({ ...options, headers: sent }, resolve);
    request.on('error', reject);
    request.end(body);
  });
}

async function textOf(response) {
  let text = '';
  for await (const part of response) text += part;
  return text;
}

async function call(call, body, Token) {
  const headers = { 'Content-Type': 'application/json', ...(Token && { Token }) };
  const answer = JSON.parse(await textOf(await ask(`/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) })));
  assert.equal(answer.Code, 1000, `${call}: ${JSON.stringify(answer)}`);
  return answer.Data;
}

const tokenOf = async (Email) => (await call('User/Login', { Email, Password: passwords[Email] })).Token;

for (const end = Date.now() + LONGEST_MS; ; await sleep(200)) {
  const status = await ask('/health/ready').then((response) => textOf(response).then(() => response.statusCode), (error) => error.code);
  if (status === 200) break;
  assert.ok(Date.now() < end, `no shop through ${name}: ${status}`);
}

const redirect = await ask('/login?lang=en', { over: 'http' });
assert.ok([301, 308].includes(redirect.statusCode), `a redirect: ${redirect.statusCode}`);
assert.match(redirect.headers.location, /^https:\/\/shop\.example\.com(:\d+)?\/login\?lang=en$/);

const page = await ask('/login');
assert.equal(page.statusCode, 200);
assert.match(await textOf(page), /<!doctype html>/i);

const spoofed = await ask('/api/SystemSettings/GetClientIp', { headers: { 'X-Forwarded-For': '6.6.6.6' } });
assert.match(await textOf(spoofed), /127\.0\.0\.5/, 'the address of who asks, and not what they wrote into a header');

const operator = await tokenOf('operator@example.com');
const boundary = 'xxxxxxxxxxxxxxxx';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="nodes.csv"\r\nContent-Type: text/csv\r\n\r\n`;
const file = Buffer.concat([Buffer.from(head), Buffer.alloc(8_000_000, 'a'), Buffer.from(`\r\n--${boundary}--\r\n`)]);
const headers = { Token: operator, 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': file.length };
const uploaded = await ask('/api/Operator/PreviewImport', { method: 'POST', headers, body: file });
const told = await textOf(uploaded);
assert.equal(JSON.parse(told).Code, 1000, `8 MB through ${name}: ${told.slice(0, 200)}`);

const customer = await tokenOf('customer@example.com');
const chat = await ask('/api/Support/WaitForMessages', {
  method: 'POST',
  headers: { Token: customer, 'Content-Type': 'application/json' },
  body: '{}',
});
const first = await Promise.race([
  new Promise((resolve) => chat.once('data', (part) => resolve(`${part}`))),
  sleep(8_000, undefined),
]);
assert.ok(first, 'the chat is held back');
assert.equal(chat.complete, false, 'the chat goes on');
chat.destroy();
console.log(`${name}: TLS, redirect, the visitor's address, 8 MB and the chat`);
process.exit(0);
