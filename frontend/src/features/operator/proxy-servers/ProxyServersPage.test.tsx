// Proxy servers: registration, secrets and rejected records.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { ProxyServersPage } from './ProxyServersPage';

const server = (change: object = {}) => ({
  ServerId: 4,
  Name: 'Europe',
  Kind: 'residential',
  Host: 'eu.example.com',
  HttpPort: 8000,
  Socks5Port: 1080,
  CreatedAt: '2026-11-01 10:00:00',
  RejectedRecords: 2,
  Nodes: 0,
  State: 'unknown',
  ...change,
});
const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

test('without servers, the screen offers to add the first one', async () => {
  answerWith({ 'Operator/GetProxyServerList': { Data: [] } });
  renderScreen(<ProxyServersPage />);
  expect(await screen.findByText('No proxy servers yet')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Add proxy server' })).toHaveLength(2);
});

test('a wrong address is not sent, a valid one shows the secret with commands for its kind', async () => {
  const sent = answerWith({
    'Operator/GetProxyServerList': { Data: [server()] },
    'Operator/AddProxyServer': ({ body }) => ({ Data: { Server: server({ ...body, ServerId: 5 }), Secret: SECRET } }),
  });
  renderScreen(<ProxyServersPage />);
  await screen.findByText('eu.example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Add proxy server' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Name'), 'ISP');
  await userEvent.click(dialog.getByRole('radio', { name: /^Static residential/ }));
  await userEvent.type(dialog.getByLabelText('Host name or IP address'), 'isp.example.com/');
  await userEvent.click(dialog.getByRole('button', { name: 'Add and show secret' }));
  expect(dialog.getByLabelText('Host name or IP address')).toHaveAccessibleDescription(/neither a host name/);
  expect(dialog.getByLabelText('HTTP port')).toBeInvalid();
  expect(of(sent, 'Operator/AddProxyServer')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Host name or IP address'), '{Backspace}');
  await userEvent.type(dialog.getByLabelText('HTTP port'), '8000');
  await userEvent.click(dialog.getByRole('button', { name: 'Add and show secret' }));
  const shown = within(await screen.findByRole('dialog', { name: 'ISP is registered' }));
  expect(shown.getByText(SECRET)).toBeVisible();
  const gate = shown.getByText(/postern-gate --url/);
  expect(gate).toHaveTextContent(`echo "${SECRET}" > /etc/postern-gate/secret`);
  expect(gate).toHaveTextContent('--listen 0.0.0.0:8000 --listen 0.0.0.0:1080 --spool');
  await userEvent.click(shown.getByRole('radio', { name: 'Ask who may connect' }));
  expect(shown.getByText(/proxy-server\/authorize/)).toHaveTextContent(`Bearer ${SECRET}`);
  await userEvent.click(shown.getByRole('radio', { name: 'Report usage' }));
  expect(shown.getByText(/proxy-server\/usage/)).toHaveTextContent(/\\"Ip\\":/);
  expect(of(sent, 'Operator/AddProxyServer')).toEqual([
    { Name: 'ISP', Kind: 'static', Host: 'isp.example.com', HttpPort: '8000' },
  ]);
});

const heartbeat = (change: object = {}) => ({
  Version: 'postern-gate 1.0.0',
  OpenConnections: 1_200,
  Attempts: 400,
  Failures: 1,
  ConnectMilliseconds: 34,
  WaitingReports: 0,
  UpstreamsDown: [],
  CanCarry: true,
  ...change,
});
const reporting = (State: string, change: object = {}, beat: object = {}) =>
  server({ State, Heartbeat: heartbeat(beat), HeartbeatAt: '2026-11-27 11:00:00', ...change });
const BEGAN = { BeganAt: '2026-11-27 10:30:00' };

test.each([
  ['new', server(), [/No heartbeat/, /Contact: Never/], /errors|postern-gate/],
  [
    'well',
    reporting('operational'),
    [/Operational/, 'Connections: 1,200, errors: 0.25%, latency: 34 ms', 'postern-gate 1.0.0'],
    /Contact|waiting|Upstreams/,
  ],
  [
    'idle',
    reporting('operational', {}, { OpenConnections: 0, Attempts: 0, Failures: 0, ConnectMilliseconds: null }),
    ['Connections: 0, errors: –, latency: –'],
    /Contact/,
  ],
  [
    'in trouble',
    reporting('degraded', {}, { Failures: 300, UpstreamsDown: ['Berlin', 'Paris'], WaitingReports: 1 }),
    [/Degraded/, /errors: 75%/, 'Upstreams down: Berlin and Paris · Many connections fail · 1 report waiting'],
    /Contact/,
  ],
  [
    'silent',
    reporting('down', { Outage: { Cause: 'silent', ...BEGAN } }),
    [/Down/, 'Silent', /Since 2026-11-27 \d\d:30/, /Contact/],
    /errors/,
  ],
  [
    'without an upstream',
    reporting('down', { Outage: { Cause: 'no_upstream', ...BEGAN } }, { CanCarry: false, UpstreamsDown: ['Berlin'] }),
    ['No upstream', /Since 2026-11-27 \d\d:30 · Upstreams down: Berlin/, /errors: 0.25%/],
    /Contact/,
  ],
] as const)('a server that is %s says so', async (_, one, texts, missing) => {
  answerWith({ 'Operator/GetProxyServerList': { Data: [one] } });
  renderScreen(<ProxyServersPage />);
  const row = await screen.findByRole('listitem');
  for (const text of texts) expect(row).toHaveTextContent(text);
  expect(row).not.toHaveTextContent(missing);
});

test('the list links to the status that customers see', async () => {
  answerWith({ 'Operator/GetProxyServerList': { Data: [] } });
  renderScreen(<ProxyServersPage />);
  expect(screen.getByRole('link', { name: 'Proxy server status' })).toHaveAttribute('href', '/status');
  await screen.findByText('No proxy servers yet');
});

test('a server is removed after confirmation', async () => {
  const sent = answerWith({
    'Operator/GetProxyServerList': { Data: [server()] },
    'Operator/RemoveProxyServer': { Data: { ServerId: 4 } },
  });
  renderScreen(<ProxyServersPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Europe' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Europe?' }));
  expect(of(sent, 'Operator/RemoveProxyServer')).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(of(sent, 'Operator/RemoveProxyServer')).toEqual([{ ServerId: 4 }]);
});

test('IPs are assigned to a static residential server alone or to any, and unknown networks are named', async () => {
  let answer: object = {
    Code: 3001,
    Data: { Fields: { Addresses: [{ Rule: 'noNetwork', Params: { Value: '203.0' } }] } },
  };
  const sent = answerWith({
    'Operator/GetProxyServerList': {
      Data: [server(), server({ ServerId: 5, Name: 'ISP', Kind: 'static', Nodes: 10_000 })],
    },
    'Operator/AssignNodes': () => answer,
  });
  renderScreen(<ProxyServersPage />);
  expect(await screen.findByText('Own IPs: 10,000+')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Europe' }));
  expect(screen.queryByRole('menuitem', { name: 'Assign IPs' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Actions for ISP' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Assign IPs' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign IPs to ISP' }));
  const field = dialog.getByLabelText('IP addresses or networks');
  await userEvent.type(field, '203.0');
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/“203.0” is not an IP address or a network/));
  answer = { Data: { Assigned: 254, NotFound: ['198.51.100.7'] } };
  await userEvent.type(field, '.113.0/24 198.51.100.7');
  await userEvent.click(dialog.getByRole('radio', { name: 'Any server' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  const done = within(await screen.findByRole('dialog', { name: 'Assign IPs to ISP' }));
  expect(await done.findByText('254 IPs assigned')).toBeVisible();
  expect(done.getByText('198.51.100.7')).toBeVisible();
  expect(of(sent, 'Operator/AssignNodes')).toEqual([
    { ServerId: 5, Addresses: '203.0' },
    { Addresses: '203.0.113.0/24 198.51.100.7' },
  ]);
});

test('rejected records are filtered by the linked server, and each shows its reason', async () => {
  const row = {
    RejectedId: 9,
    ServerId: 4,
    ServerName: 'Europe',
    Record: '{"Id":"a-1"}',
    Reason: 'from_future',
    Times: 3,
    ReceivedAt: '2026-11-22 10:00:00',
  };
  const sent = answerWith({
    'Operator/GetProxyServerList': { Data: [server()] },
    'Operator/GetRejectedUsageList': { Data: { Rows: [row], Total: 1, Page: 1, PageSize: 50 } },
  });
  renderScreen(<ProxyServersPage />, '/?view=rejected&ServerId=4&Reason=from_future');
  await userEvent.click(await screen.findByRole('button', { name: '{"Id":"a-1"}' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Time in the future' }));
  expect(dialog.getByText(/Set it by NTP/)).toBeVisible();
  expect(dialog.getByText('"Id": "a-1"', { exact: false })).toBeVisible();
  expect(of(sent, 'Operator/GetRejectedUsageList')[0]).toMatchObject({
    Filter: { ServerId: 4, Reason: 'from_future' },
  });
});

test('support sees how the servers are, and changes nothing', async () => {
  signInAs('support');
  const sent = answerWith({ 'Operator/GetProxyServerList': { Data: [server()] } });
  renderScreen(<ProxyServersPage />, '/?view=rejected');
  expect(await screen.findByText('eu.example.com')).toBeVisible();
  for (const name of ['Add proxy server', 'Actions for Europe'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Europe/ })).toBeNull();
  expect(forbidden(sent, 'support')).toEqual([]);
});
