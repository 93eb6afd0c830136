// The audit log: filters, links, one entry in full, and the file.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { AuditAction } from '@/core/constants.gen';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { AuditLogPage } from './AuditLogPage';
import { ACTIONS_BY_TOPIC } from './actions';

const SUSPENDED = {
  EntryId: 2,
  At: '2026-02-03 09:00:00',
  Action: 'account_suspended',
  Channel: 'screen',
  Operator: 'boss@example.com',
  Actor: '',
  Address: '192.0.2.7',
  AccountId: 7,
  Email: 'ann@example.com',
  Subject: '',
  Reason: 'chargebacks',
  Changes: [],
};
const REFUNDED = {
  ...SUSPENDED,
  EntryId: 1,
  Action: 'order_refunded',
  Channel: 'api_key',
  Actor: 'Deploy',
  Subject: 'PO23456789AB',
  Reason: 'too slow',
  Changes: [
    { Field: 'amount', Before: null, After: '$10.00' },
    { Field: 'nodes', Before: null, After: '2' },
  ],
};
const ENDED = {
  ...SUSPENDED,
  EntryId: 3,
  Action: 'coupon_ended',
  Channel: 'command',
  Operator: null,
  Actor: 'root',
  Address: '',
  AccountId: null,
  Email: null,
  Subject: 'SPRING',
  Reason: '',
};
const replies = (...Rows: object[]) => ({
  'Operator/GetAuditLog': { Data: { Rows, Total: Rows.length, Page: 1, PageSize: 50 } },
  'Operator/ExportAuditLog': { file: 'audit-log.csv', text: 'At,Operator\r\n' },
});
const last = (sent: Sent[], call = 'Operator/GetAuditLog') => sent.findLast((one) => one.call === call)?.body;

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

const opens = async (name: string | RegExp) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog'));
};

test('an empty log says what will be in it', async () => {
  answerWith(replies());
  renderScreen(<AuditLogPage />);
  expect(await screen.findByText(/Changes that operators make/)).toBeVisible();
});

test('an entry about an account leads to it, and one about an order to both', async () => {
  answerWith(replies(ENDED, SUSPENDED, REFUNDED));
  const { addressNow } = renderScreen(<AuditLogPage />);
  const rows = await screen.findAllByRole('listitem');
  const [ended, suspended, refunded] = rows.map((row) => within(row));
  expect(ended?.getByText('SPRING')).toBeVisible();
  expect(ended?.queryByRole('link')).toBeNull();
  expect(ended?.getByText('Server command')).toBeVisible();
  expect(suspended?.getByText('Suspended an account')).toBeVisible();
  expect(refunded?.getByText('boss@example.com')).toBeVisible();
  expect(refunded?.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  await userEvent.click(screen.getByRole('link', { name: 'PO23456789AB' }));
  expect(addressNow()).toBe('/operator/orders?OrderNumber=PO23456789AB');
});

test('an entry about a callback leads to its payment, if it had one', async () => {
  const replayed = {
    ...ENDED,
    EntryId: 4,
    Action: 'callback_replayed',
    Subject: '2611-0002',
    Changes: [{ Field: 'verdict', Before: 'wrong_currency', After: 'settle' }],
  };
  answerWith(replies(replayed, { ...replayed, EntryId: 5, Subject: '' }));
  renderScreen(<AuditLogPage />);
  expect(await screen.findAllByRole('button', { name: 'Verdict: Wrong currency → Settled' })).toHaveLength(2);
  const links = screen.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/operator/payments?Search=2611-0002']);
});

test('a closed case leads to its payment and its customer, and a rate is shown before and after', async () => {
  const closed = {
    ...REFUNDED,
    EntryId: 6,
    Action: 'payment_case_closed',
    Subject: '2611-0002',
    Reason: 'The customer was told',
    Changes: [],
  };
  const Changes = [
    { Field: 'exchange_rate', Before: '7.00', After: '7.125' },
    { Field: 'feed', Before: null, After: 'https://rates.example/' },
  ];
  answerWith(replies(closed, { ...ENDED, EntryId: 7, Action: 'exchange_rate_set', Subject: 'CNY', Changes }));
  renderScreen(<AuditLogPage />);
  expect(await screen.findByText('Closed a payment case', { selector: 'strong' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reason: The customer was told' })).toBeVisible();
  expect(
    screen.getByRole('button', { name: 'Exchange rate: 7.00 → 7.125 · Feed: https://rates.example/' }),
  ).toBeVisible();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/operator/payments?Search=2611-0002', '/operator/accounts/7']);
});

test('an account that is not a number is no filter', async () => {
  const sent = answerWith(replies(SUSPENDED));
  renderScreen(<AuditLogPage />, '/?AccountId=seven');
  await screen.findByText('Suspended an account', { selector: 'strong' });
  expect(last(sent)?.Filter).toEqual({});
  expect(screen.queryByRole('button', { name: /^Account/ })).toBeNull();
});

test('an entry is shown in one line, and in full in a dialog', async () => {
  answerWith(replies(REFUNDED));
  renderScreen(<AuditLogPage />);
  const dialog = await opens('Amount: $10.00 · Static proxies: 2 · Reason: too slow');
  expect(dialog.getByRole('heading', { name: 'Refunded an order' })).toBeVisible();
  expect(dialog.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    'Amount: $10.00',
    'Static proxies: 2',
    'Reason: too slow',
  ]);
  expect(dialog.getByText('by API key Deploy')).toBeVisible();
  expect(dialog.getByText('192.0.2.7')).toBeVisible();
});

test('a command without changes has details but no address', async () => {
  answerWith(replies(ENDED));
  renderScreen(<AuditLogPage />);
  const dialog = await opens('Details');
  expect(dialog.queryByText('IP address')).toBeNull();
  expect(dialog.queryByRole('list')).toBeNull();
});

test('filters are in the address, and the file has the same', async () => {
  const sent = answerWith(replies(SUSPENDED));
  const { addressNow } = renderScreen(<AuditLogPage />, '/?AccountId=7');
  await screen.findByText('Suspended an account', { selector: 'strong' });
  await userEvent.selectOptions(screen.getByLabelText('Action'), 'account_suspended');
  await userEvent.selectOptions(screen.getByLabelText('Channel'), 'api_key');
  await userEvent.type(screen.getByRole('searchbox'), 'boss@example.com');
  await waitFor(() => expect(last(sent)?.Search).toBe('boss@example.com'));
  expect(last(sent)?.Filter).toEqual({ Action: 'account_suspended', Channel: 'api_key', AccountId: 7 });
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  expect(last(sent, 'Operator/ExportAuditLog')).toMatchObject({
    Search: 'boss@example.com',
    Filter: { Action: 'account_suspended', Channel: 'api_key', AccountId: 7 },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Account 7' }));
  await waitFor(() => expect(addressNow()).not.toContain('AccountId'));
  await waitFor(() => expect(last(sent)?.Filter).toEqual({ Action: 'account_suspended', Channel: 'api_key' }));
});

test('what was done a moment ago on another screen is there at once', async () => {
  const entries = [REFUNDED];
  const sent = answerWith({ 'Operator/GetAuditLog': () => replies(...entries)['Operator/GetAuditLog'] });
  function Screens() {
    const [isHere, setHere] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setHere(!isHere)}>
          Go
        </button>
        {isHere && <AuditLogPage />}
      </>
    );
  }
  renderScreen(<Screens />);
  await screen.findByText('Refunded an order', { selector: 'strong' });
  expect(sent).toHaveLength(1);
  expect(last(sent)?.Filter).toEqual({});
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  entries.unshift(SUSPENDED);
  await userEvent.click(screen.getByRole('button', { name: 'Go' }));
  expect(await screen.findByText('Suspended an account', { selector: 'strong' })).toBeVisible();
});

test('the filter lists every action once', () => {
  const listed = ACTIONS_BY_TOPIC.flatMap(({ actions }) => actions);
  expect([...listed].sort()).toEqual(Object.values(AuditAction).sort());
});

test('an accountant reads the log and saves it', async () => {
  signInAs('accountant');
  const sent = answerWith(replies(SUSPENDED));
  renderScreen(<AuditLogPage />);
  await screen.findByText('Suspended an account', { selector: 'strong' });
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(last(sent, 'Operator/ExportAuditLog')).toBeDefined());
  expect(forbidden(sent, 'accountant')).toEqual([]);
});
