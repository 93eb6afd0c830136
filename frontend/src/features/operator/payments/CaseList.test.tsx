// Cases of payments: who sees them, who closes them, and what is left of closed ones.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { CaseList } from './CaseList';
import { closed, page, paymentCase } from './fixtures';

const LIST = 'Operator/GetPaymentCaseList';
const CLOSE = 'Operator/ClosePaymentCase';
const bodies = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map(({ body }) => body);
const filter = (sent: Sent[]) => bodies(sent, LIST).at(-1)?.Filter;

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

/** Opens the only case of the list. */
async function opens(row: object, reply: Parameters<typeof answerWith>[0][string] = 'network', at = '/') {
  const sent = answerWith({ [LIST]: page([row]), [CLOSE]: reply });
  renderScreen(<CaseList />, at);
  await userEvent.click(await screen.findByTitle('Show this case'));
  return { sent, dialog: within(await screen.findByRole('dialog')) };
}

const closes = () => userEvent.click(screen.getByRole('button', { name: 'Close case' }));
const note = () => screen.getByLabelText('What was done');

test('a note that is too long is not sent', async () => {
  const { sent } = await opens(paymentCase());
  await userEvent.click(note());
  await userEvent.paste('x'.repeat(501));
  await closes();
  await waitFor(() => expect(note()).toHaveAccessibleDescription(/500/));
  expect(note()).toBeInvalid();
  expect(bodies(sent, CLOSE)).toEqual([]);
});

test('what the server refuses is shown at the field, and the note is kept', async () => {
  const Fields = { Note: [{ Rule: 'invisibleCharacters', Params: {} }] };
  await opens(paymentCase(), { Code: 2001, Message: 'Invalid', Data: { Fields } });
  await userEvent.type(note(), 'told');
  await closes();
  await waitFor(() => expect(note()).toBeInvalid());
  expect(note()).toHaveValue('told');
});

test('an open case says what has happened, and is closed with a note', async () => {
  const { sent, dialog } = await opens(paymentCase(), { Data: closed() });
  expect(dialog.getByText('Due $25.00, credited $24.99.')).toBeVisible();
  expect(dialog.getByText(/The customer has it already/)).toBeVisible();
  expect(dialog.getByText('¥178.05')).toBeVisible();
  expect(dialog.getByText('Crypto')).toBeVisible();
  const links = dialog.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    '/operator/accounts/7',
    '/operator/orders?OrderNumber=PO23456789AB',
    '/operator/payments?Search=2611-0002',
  ]);
  expect(dialog.queryByText('Closed by')).toBeNull();
  await userEvent.type(note(), 'The customer was told');
  const before = bodies(sent, LIST).length;
  await closes();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies(sent, CLOSE)).toEqual([{ CaseId: 4, Note: 'The customer was told' }]);
  expect(showToast).toHaveBeenCalledWith('Case closed', 'success');
  await waitFor(() => expect(bodies(sent, LIST).length).toBeGreaterThan(before));
});

test('a case that another operator has closed meanwhile says so', async () => {
  await opens(paymentCase(), { Data: closed({ ClosedBy: 'boss@example.com' }) });
  await closes();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(showToast).toHaveBeenCalledWith('boss@example.com has already closed this case', 'warning');
});

test('a closed case shows who closed it, when, and the note', async () => {
  const { dialog } = await opens(closed({ Note: 'Sent back\nby hand' }), 'network', '/?State=closed');
  expect(dialog.getByText('operator@example.com')).toBeVisible();
  expect(dialog.getByText(/^2026-02-04/)).toBeVisible();
  expect(dialog.getByText(/Sent back/)).toHaveTextContent('Sent back by hand');
  expect(screen.queryByRole('button', { name: 'Close case' })).toBeNull();
  expect(dialog.queryByRole('textbox')).toBeNull();
});

test('a case of a payment that the shop does not know has no links, but its number at the gateway', async () => {
  const unknown = { PaymentId: null, OrderId: null, OrderNumber: null, AccountId: null, Email: null };
  const change = { ...unknown, Kind: 'not_in_shop', Subject: 'ch_1', Due: null, Credited: null };
  const { dialog } = await opens(paymentCase(change));
  expect(dialog.getByText(/a payment that the shop does not know/)).toBeVisible();
  expect(dialog.getByText('ch_1')).toBeVisible();
  expect(dialog.getByText('¥178.05')).toBeVisible();
  expect(dialog.queryByText(/^Due/)).toBeNull();
  expect(dialog.queryByRole('link')).toBeNull();
});

test.each([
  ['disputed', 'Payment disputed', /hand it in at the gateway/],
  ['dispute_lost', 'Dispute lost', /the money does not come back/],
  ['dispute_won', 'Dispute won', /the gateway has returned the money/],
  ['refunded_elsewhere', 'Refunded at the gateway', /not through the shop/],
  ['invalidated', 'Payment became invalid', /no longer counts this payment as paid/],
  ['refund_failed', 'Refund failed', /the money is back in the customer's wallet/],
  ['refund_by_hand', 'Refund by hand', /has to be sent by hand/],
])('a case of money that went back, or should, leads to all of the customer: %s', async (Kind, title, hint) => {
  const { dialog } = await opens(paymentCase({ Kind }));
  expect(screen.getByRole('dialog', { name: title })).toBeVisible();
  expect(dialog.getByText(hint)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Disputes and refunds' })).toHaveAttribute(
    'href',
    '/operator/payments?view=returns&AccountId=7',
  );
});

test('the open ones are asked for, others and one gateway on request', async () => {
  const sent = answerWith({ [LIST]: page([paymentCase(), closed({ CaseId: 5 })]) });
  const { addressNow } = renderScreen(<CaseList />);
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  const [open, done] = screen.getAllByRole('listitem').map((row) => within(row));
  expect(open?.getByText('Open')).toHaveAttribute('data-tone', 'warn');
  expect(done?.getByText('Closed')).toHaveAttribute('data-tone', 'neutral');
  expect(open?.getByText('$24.99')).toBeVisible();
  expect(filter(sent)).toEqual({ IsOpen: true });
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'Closed');
  await waitFor(() => expect(filter(sent)).toEqual({ IsOpen: false }));
  await userEvent.selectOptions(screen.getByLabelText('Gateway'), 'Crypto');
  await waitFor(() => expect(filter(sent)).toEqual({ Gateway: 'btcpay', IsOpen: false }));
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'Open and closed');
  await waitFor(() => expect(filter(sent)).toEqual({ Gateway: 'btcpay' }));
  expect(addressNow()).toBe('/?State=both&Gateway=btcpay');
});

test.each(['support', 'accountant'] as const)('%s reads cases, and closes none', async (role) => {
  signInAs(role);
  const { sent, dialog } = await opens(paymentCase());
  expect(dialog.getByText('Due $25.00, credited $24.99.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Close case' })).toBeNull();
  expect(forbidden(sent, role)).toEqual([]);
});
