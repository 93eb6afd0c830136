// Switching: preview, request and result.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { COMMON_REPLIES, node, page, REGULAR, switchResult } from '../fixtures';
import { selectionOfNode } from './bulkSelection';
import { SwitchDialog } from './SwitchDialog';

beforeEach(onPhone);

const two = { count: 2, body: { NodeIds: [1, 2] }, rows: [node(1), node(2)] };
const open = (selection = selectionOfNode(node(1))) =>
  renderScreen(<SwitchDialog selection={selection} onClose={() => {}} />);
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

test('a used-up quota is reported in place, with a button to switch for money', async () => {
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/SwitchNode': {
      Code: 4003,
      Message: 'All 2 are used',
      Data: { Limit: 2, Used: 2, ResetsAt: '2026-12-01 00:00:00' },
    },
    'Ips/SwitchNodeByUnitPrice': { Data: switchResult({ Mode: 'unit_price', Total: '5.00', BalanceAfter: '15.00' }) },
  });
  open();
  expect(
    await screen.findByText('Your free switches are used up (2 of 2). More are available from 2026-12-01 00:00:00.'),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Switch 1 proxy now' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Use a paid switch instead' }));
  expect(await screen.findByText('$15.00')).toBeVisible();
  expect(of(sent, 'Ips/SwitchNodeByUnitPrice')).toEqual([{ NodeIds: [1], DryRun: true }]);
});

test('switching requires the dry run, and then sends exactly what it showed', async () => {
  const done = switchResult({ DryRun: false });
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/SwitchNode': ({ body }) => ({
      Data: body.DryRun
        ? switchResult()
        : { ...done, Items: done.Items.map((item) => ({ ...item, NewIp: '198.18.7.44' })) },
    }),
  });
  open();
  const row = await screen.findByRole('row', { name: /198\.18\.0\.1 .*198\.18\.7\.x New York Verizon \$0\.00/ });
  expect(row).toBeVisible();
  expect(screen.getByText(/2 of 2/)).toBeVisible();
  expect(screen.getByText('Free switches left after this')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveDisplayValue('Not given');
  expect(screen.getByRole('button', { name: 'Switch 1 proxy now' })).toBeEnabled();
  expect(of(sent, 'Ips/SwitchNode').every((body) => body.DryRun)).toBe(true);
  await userEvent.selectOptions(screen.getByLabelText('Reason'), 'Too slow');
  await userEvent.click(screen.getByRole('button', { name: 'Switch 1 proxy now' }));
  expect(await screen.findByText('198.18.7.44')).toBeVisible();
  expect(of(sent, 'Ips/SwitchNode').at(-1)).toEqual({ NodeIds: [1], DryRun: false, Reason: 'Too slow' });
});

test('proxies without a replacement are marked, and only the others are counted', async () => {
  const { Items } = switchResult();
  const failed = { ...Items[0], NodeId: 2, OldIp: '198.18.0.2', Code: 4002 };
  answerWith({ ...COMMON_REPLIES, 'Ips/SwitchNode': { Data: switchResult({ Items: [...Items, failed as never] }) } });
  open(two);
  expect(await screen.findByRole('row', { name: '198.18.0.2 No other IP is available in this city' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Switch 1 proxy now' })).toBeEnabled();
});

test('only one proxy at a time can be switched to a chosen IP', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/SwitchNode': { Data: switchResult() } });
  open(two);
  expect(await screen.findByRole('radio', { name: /Choose the new IP/ })).toBeDisabled();
});

test("a chosen IP is picked from the tier's stock, and is requested", async () => {
  const free = { ...node(77), Ip: '198.18.9.x', Price: '5.00' };
  const sent = answerWith({
    ...COMMON_REPLIES,
    'Ips/SwitchNode': { Data: switchResult() },
    'Ips/GetMyPurchasableNodeList': page([free]),
    'Ips/MySpecifySwitchNode': ({ body }) => ({
      Data: switchResult({ Mode: 'specified', DryRun: Boolean(body.DryRun) }),
    }),
  });
  open();
  await userEvent.click(screen.getByRole('radio', { name: /Choose the new IP/ }));
  expect(screen.getByText('Choose the new IP to see a preview.')).toBeVisible();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 198.18.9.x' }));
  await waitFor(() =>
    expect(of(sent, 'Ips/MySpecifySwitchNode')).toEqual([{ NodeId: 1, NewNodeId: 77, DryRun: true }]),
  );
  const submit = screen.getByRole('button', { name: 'Switch 1 proxy now' });
  await waitFor(() => expect(submit).toBeEnabled());
  await userEvent.click(submit);
  expect(await screen.findByRole('dialog', { name: '1 proxy switched' })).toBeVisible();
  expect(of(sent, 'Ips/MySpecifySwitchNode').at(-1)).toEqual({
    NodeId: 1,
    NewNodeId: 77,
    DryRun: false,
  });
  expect(of(sent, 'Ips/GetMyPurchasableNodeList')[0]).toMatchObject({
    Filter: { VerStr: REGULAR, Country: 'US', City: 'new-york' },
  });
});

test('errors while switching stay in the dialog', async () => {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/SwitchNode': ({ body }) =>
      body.DryRun
        ? { Data: switchResult() }
        : { Code: 4001, Message: 'Your balance is too low', Data: { Balance: '0.00', Needed: '5.00' } },
  });
  open();
  const submit = await screen.findByRole('button', { name: 'Switch 1 proxy now' });
  await waitFor(() => expect(submit).toBeEnabled());
  await userEvent.click(submit);
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Your balance is too low')).toBeVisible();
  expect(within(alert).getByRole('link', { name: 'Top up' })).toHaveAttribute('href', '/billing/wallet');
});
