// Proxy servers: registration, secrets and rejected records.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
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
  ...change,
});
const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

beforeEach(onPhone);

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
  expect(shown.getByText(/proxy-server\/authorize/)).toHaveTextContent(`Bearer ${SECRET}`);
  await userEvent.click(shown.getByRole('radio', { name: 'Report usage' }));
  expect(shown.getByText(/proxy-server\/usage/)).toHaveTextContent(/\\"Ip\\":/);
  expect(of(sent, 'Operator/AddProxyServer')).toEqual([
    { Name: 'ISP', Kind: 'static', Host: 'isp.example.com', HttpPort: '8000' },
  ]);
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
