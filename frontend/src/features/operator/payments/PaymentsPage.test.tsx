// Payments of all customers, transfers to confirm, and callbacks.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { callback, page, transfer } from './fixtures';
import { PaymentsPage } from './PaymentsPage';

const LIST = 'Operator/GetPaymentList';
const CALLBACKS = 'Order/GetCallbackList';
const CASES = 'Operator/GetPaymentCaseList';
const RETURNS = 'Operator/GetPaymentReturnList';
const RATES = 'Operator/GetExchangeRateList';
const last = (sent: Sent[], call: string) => sent.findLast((one) => one.call === call)?.body;
/** The last request of the list; the note about forged callbacks asks for ten rows. */
const lastOfCallbacks = (sent: Sent[]) =>
  sent.findLast((one) => one.call === CALLBACKS && one.body.PageSize !== 10)?.body;

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

test.each([
  ['/', 'No payments yet'],
  ['/?view=transfers', 'No transfers to confirm'],
  ['/?view=cases', 'No open cases'],
  ['/?view=returns', 'No disputes or refunds'],
  ['/?view=callbacks', 'No callbacks yet'],
  ['/?view=rates', 'No exchange rates needed'],
])('%s without rows says what will be there', async (address, title) => {
  answerWith({
    [LIST]: page([]),
    [CASES]: page([]),
    [RETURNS]: page([]),
    [CALLBACKS]: page([], { ForgedLately: 0 }),
    [RATES]: { Data: [] },
  });
  renderScreen(<PaymentsPage />, address);
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.queryByText(/forged/)).toBeNull();
});

test('a payment leads to its order, its customer and its callbacks', async () => {
  const sent = answerWith({
    [LIST]: page([
      transfer({ LastVerdict: 'wrong_amount' }),
      transfer({ PaymentId: '2', PaymentMethod: 'stripe', State: 'succeeded', LastVerdict: 'settle' }),
    ]),
    [CALLBACKS]: page([callback()], { ForgedLately: 0 }),
  });
  renderScreen(<PaymentsPage />);
  const rows = await screen.findAllByRole('listitem');
  const [wrong, settled] = rows.map((row) => within(row));
  expect(wrong?.getByRole('link', { name: 'PO23456789AB' })).toHaveAttribute(
    'href',
    '/operator/orders?OrderNumber=PO23456789AB',
  );
  expect(wrong?.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  expect(wrong?.getByText('$50.00')).toBeVisible();
  expect(wrong?.getByText('Wrong amount')).toHaveAttribute('data-tone', 'warn');
  expect(wrong?.getByText('Pending')).toBeVisible();
  expect(settled?.getByText('Settled')).not.toHaveAttribute('data-tone');
  expect(settled?.getByText('Paid')).toHaveAttribute('data-tone', 'good');
  expect(settled?.queryByRole('button')).toBeNull();
  expect(wrong?.getByRole('link', { name: 'Wrong amount' })).toHaveAttribute(
    'href',
    '/operator/payments?view=callbacks&PaymentId=2611-0002',
  );
  expect(last(sent, LIST)?.Filter).toEqual({});
});

test('filters are in the address, and an account that is not a number is no filter', async () => {
  const sent = answerWith({ [LIST]: page([transfer()]) });
  const { addressNow } = renderScreen(<PaymentsPage />, '/?AccountId=7');
  await screen.findByRole('link', { name: 'PO23456789AB' });
  await userEvent.selectOptions(screen.getByLabelText('Method'), 'transfer');
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'expired');
  await userEvent.type(screen.getByRole('searchbox'), 'ann@');
  await waitFor(() => expect(last(sent, LIST)?.Search).toBe('ann@'));
  expect(last(sent, LIST)?.Filter).toEqual({ PaymentMethod: 'transfer', State: 'expired', AccountId: 7 });
  await userEvent.click(screen.getByRole('button', { name: 'Account 7' }));
  await waitFor(() => expect(last(sent, LIST)?.Filter).toEqual({ PaymentMethod: 'transfer', State: 'expired' }));
  expect(new URLSearchParams(addressNow().slice(1)).get('State')).toBe('expired');
});

test('an account that is not a number is no filter', async () => {
  const sent = answerWith({ [LIST]: page([transfer()]) });
  renderScreen(<PaymentsPage />, '/?AccountId=seven');
  await screen.findByRole('link', { name: 'PO23456789AB' });
  expect(last(sent, LIST)?.Filter).toEqual({});
  expect(screen.queryByRole('button', { name: /^Account/ })).toBeNull();
});

test('transfers to confirm are the pending ones, and ended ones on request', async () => {
  const sent = answerWith({ [LIST]: page([transfer()]) });
  const { addressNow } = renderScreen(<PaymentsPage />, '/?State=failed&Page=2');
  await userEvent.click(await screen.findByRole('radio', { name: 'Transfers to confirm' }));
  expect(addressNow()).toBe('/?view=transfers');
  await waitFor(() => expect(last(sent, LIST)?.Filter).toEqual({ PaymentMethod: 'transfer', State: 'pending' }));
  expect(screen.queryByLabelText('Method')).toBeNull();
  await userEvent.selectOptions(await screen.findByLabelText('Status'), 'expired');
  await waitFor(() => expect(last(sent, LIST)?.Filter).toEqual({ PaymentMethod: 'transfer', State: 'expired' }));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm the transfer for PO23456789AB' }));
  expect(within(await screen.findByRole('dialog')).getByText('ann@example.com')).toBeVisible();
});

test('callbacks are filtered, and forged ones are counted', async () => {
  const sent = answerWith({ [CALLBACKS]: page([callback()], { ForgedLately: 1_200 }) });
  renderScreen(<PaymentsPage />, '/?view=callbacks&PaymentId=2611-0002');
  expect(await screen.findByText(/^1,200 forged callbacks/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText('Gateway'), 'stripe');
  await userEvent.selectOptions(screen.getByLabelText('Result'), 'wrong_amount');
  await userEvent.selectOptions(screen.getByLabelText('Accepted or refused'), 'Refused only');
  const Filter = { Gateway: 'stripe', Verdict: 'wrong_amount', IsRefused: true };
  await waitFor(() => expect(lastOfCallbacks(sent)?.Filter).toEqual({ ...Filter, PaymentId: '2611-0002' }));
  await userEvent.selectOptions(screen.getByLabelText('Accepted or refused'), 'Not refused');
  await userEvent.click(screen.getByRole('button', { name: 'Payment 2611-0002' }));
  await waitFor(() => expect(lastOfCallbacks(sent)?.Filter).toEqual({ ...Filter, IsRefused: false }));
});

test('a forged callback is shown in full, with a warning', async () => {
  const forged = { Verdict: 'bad_signature', IsRefused: true, PaymentId: null, OrderId: null, OrderNumber: null };
  answerWith({ [CALLBACKS]: page([callback(forged)], { ForgedLately: 1 }) });
  renderScreen(<PaymentsPage />, '/?view=callbacks');
  expect(await screen.findByText('1 forged callback in the last week. It changed nothing.')).toBeVisible();
  expect(screen.getByText('Bad signature', { selector: 'span' })).toHaveAttribute('data-tone', 'warn');
  await userEvent.click(screen.getByRole('button', { name: /checkout\.session/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Callback: Card, Alipay or WeChat Pay' }));
  expect(dialog.getByText(/do not trust/)).toBeVisible();
  expect(dialog.getByText('ab'.repeat(32))).toBeVisible();
  expect(dialog.getByText('2,048 bytes')).toBeVisible();
  expect(dialog.getByText('192.0.2.7')).toBeVisible();
  expect(dialog.getByText('{"type":"checkout.session.completed"}')).toBeVisible();
  expect(dialog.queryByRole('link')).toBeNull();
});

test('a confirmation by an operator has no sender, and leads to its payment', async () => {
  const Rows = [callback({ Gateway: 'transfer', Sender: '', Beginning: '' })];
  answerWith({ [CALLBACKS]: page(Rows, { ForgedLately: 0 }) });
  renderScreen(<PaymentsPage />, '/?view=callbacks');
  expect(await screen.findByText('Settled', { selector: 'span' })).toHaveAttribute('data-tone', 'good');
  await userEvent.click(screen.getByRole('button', { name: 'Details' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Confirmed by an operator')).toBeVisible();
  expect(dialog.queryByText(/do not trust/)).toBeNull();
  expect(dialog.getByRole('link', { name: '2611-0002' })).toHaveAttribute(
    'href',
    '/operator/payments?Search=2611-0002',
  );
});

test.each(['support', 'accountant'] as const)('%s reads payments and callbacks, and confirms none', async (role) => {
  signInAs(role);
  const sent = answerWith({ [LIST]: page([transfer()]), [CALLBACKS]: page([callback()], { ForgedLately: 0 }) });
  renderScreen(<PaymentsPage />, '/?view=transfers');
  expect(await screen.findByRole('link', { name: 'PO23456789AB' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Confirm/ })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Callbacks' }));
  expect(await screen.findByRole('button', { name: /checkout\.session/ })).toBeVisible();
  expect(screen.queryAllByRole('radio', { name: 'Exchange rates' })).toHaveLength(role === 'accountant' ? 1 : 0);
  expect(forbidden(sent, role)).toEqual([]);
});
