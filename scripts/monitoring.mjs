// Asks Prometheus everything that the dashboard and the alert rules ask, about a shop that it watches: each question is understood, and the shop
// has what it is about.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [shop, prometheus, secret, accounts] = process.argv.slice(2);
const LONGEST_MS = 60_000;

async function asked(query) {
  const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`).catch(() => undefined);
  return response?.json();
}

async function until(what, isSo) {
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(300)) if (await isSo()) return;
  throw new Error(`not within a minute: ${what}`);
}

const call = (name, body, headers = {}) =>
  fetch(`${shop}/api/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });

/** Begins a payment by card, whose gateway is not there; returns the address of its page. */
async function beginPayment() {
  const [Email, Password] = Object.entries(JSON.parse(readFileSync(accounts, 'utf8'))).find(([email]) => email.startsWith('reseller'));
  const session = await (await call('User/Login', JSON.stringify({ Email, Password }))).json();
  const form = JSON.stringify({ Amount: '20.00', PaymentMethod: 'stripe' });
  const headers = { Token: session.Data.Token, 'Idempotency-Key': 'monitoring' };
  const begun = await (await call('Wallet/CreateTopUp', form, headers)).json();
  return begun.Data.Payment.PayUrl;
}

/** Requests of several kinds, a callback that nobody signed, a payment, and a heartbeat of a proxy server. */
async function visit() {
  await fetch(`${shop}/health/ready`);
  await call('SystemSettings/GetPublicConfig', '{}');
  await call('User/GetUserInfo', '{}');
  await fetch(`${shop}${page}`);
  await fetch(`${shop}/gateway/callback/sandbox`, { method: 'POST', body: '{}', headers: { 'Sandbox-Signature': '00' } });
  const beat = { Version: 'postern-gate 1', OpenConnections: 3, Attempts: 40, Failures: 1, ConnectMilliseconds: 20 };
  const headers = { Authorization: `Bearer ${secret}` };
  await fetch(`${shop}/proxy-server/heartbeat`, { method: 'POST', body: JSON.stringify(beat), headers });
}

/** The names of series in a question. */
const seriesOf = (query) => [...new Set(query.match(/\b(?:postern|process)_\w+/g) ?? [])];

const dashboard = JSON.parse(readFileSync('deploy/grafana/postern.json', 'utf8'));
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr]));
await until('a shop that answers', () => fetch(`${shop}/health/ready`).then(({ ok }) => ok, () => false));
const page = await beginPayment();
await visit();
await until('a server that is watched', async () => (await asked('up{job="postern"}'))?.data?.result?.[0]?.value[1] === '1');
await visit();
await sleep(5_000);
const { groups } = (await (await fetch(`${prometheus}/api/v1/rules`)).json()).data;
const rules = groups.flatMap((group) => group.rules.map(({ name, query }) => [name, query]));
const present = new Set((await (await fetch(`${prometheus}/api/v1/label/__name__/values`)).json()).data);
const problems = [];
for (const [title, query] of [...panels, ...rules]) {
  const answer = await asked(query);
  if (answer?.status !== 'success') problems.push(`${title}: ${answer?.error}`);
  for (const series of seriesOf(query)) if (!present.has(series)) problems.push(`${title}: no ${series}`);
}
for (const [title, query] of panels) {
  if ((await asked(query)).data?.result.length === 0) problems.push(`${title}: nothing is shown for ${query}`);
}
const broken = groups.flatMap((group) => group.rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`));
problems.push(...broken);
console.log(`${panels.length} questions of the dashboard, ${rules.length} alerts, ${problems.length} problems`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
