// Confirming a bank transfer: the right amount, another amount, and one that comes late.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Payment } from '@/api/operatorPayments';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { ConfirmTransfer } from './ConfirmTransfer';
import { transfer } from './fixtures';

beforeEach(() => signInAs('operator'));

const CALL = 'Order/SettlePayment';
const REFUSED = {
  Code: 2001,
  Message: 'Invalid',
  Data: { Fields: { Amount: [{ Rule: 'amountDue', Params: { Amount: '50.00' } }] } },
};
const sentTo = (sent: Sent[]) => sent.filter((one) => one.call === CALL);
const amount = () => screen.getByLabelText('Amount received in USD');
const accept = () => screen.queryByRole('checkbox', { name: 'Credit the amount that has arrived' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function opens(reply: Parameters<typeof answerWith>[0][string] = { Data: transfer() }, change: object = {}) {
  const sent = answerWith({ [CALL]: reply });
  const onClose = vi.fn();
  renderScreen(<ConfirmTransfer payment={transfer(change) as Payment} onClose={onClose} />);
  return { sent, onClose };
}

test('nothing is sent without an amount', async () => {
  const { sent } = opens();
  expect(screen.getByText('$50.00')).toBeVisible();
  expect(screen.getByText('PO23456789AB')).toBeVisible();
  await press('Confirm transfer');
  expect(amount()).toHaveAccessibleDescription(/required/);
  await userEvent.type(amount(), 'fifty');
  await press('Confirm transfer');
  expect(amount()).toHaveAccessibleDescription(/Enter an amount/);
  expect(sentTo(sent)).toEqual([]);
});

test('the amount due is credited without a question', async () => {
  const { sent, onClose } = opens({ Data: transfer({ State: 'succeeded' }) });
  await userEvent.type(amount(), ' 50 ');
  expect(accept()).toBeNull();
  await press('Credit $50.00');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sentTo(sent).map(({ body }) => body)).toEqual([
    { PaymentId: '2611-0002', Amount: '50', AcceptDifference: false },
  ]);
  expect(sentTo(sent)[0]?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  expect(showToast).toHaveBeenCalledWith('$50.00 credited to ann@example.com', 'success');
});

test('another amount is refused at the field unless it is accepted', async () => {
  const { sent, onClose } = opens(({ body }) =>
    body.AcceptDifference ? { Data: transfer({ State: 'succeeded', Amount: '49.98' }) } : REFUSED,
  );
  await userEvent.type(amount(), '49.98');
  expect(screen.getByText('$0.02 less than due')).toBeVisible();
  await press('Credit $49.98');
  await waitFor(() => expect(amount()).toHaveAccessibleDescription(/must be exactly 50\.00/));
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(accept() as HTMLElement);
  expect(amount()).not.toHaveAccessibleDescription(/must be exactly/);
  expect(amount()).toHaveValue('49.98');
  await press('Credit $49.98');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sentTo(sent).map(({ body }) => body.AcceptDifference)).toEqual([false, true]);
  expect(showToast).toHaveBeenCalledWith('$49.98 credited to ann@example.com', 'success');
});

test('what is accepted is one amount: another one has to be accepted again', async () => {
  const { sent } = opens(REFUSED);
  await userEvent.type(amount(), '51');
  expect(screen.getByText('$1.00 more than due')).toBeVisible();
  await userEvent.click(accept() as HTMLElement);
  await userEvent.type(amount(), '0');
  expect(screen.getByText('$460.00 more than due')).toBeVisible();
  expect(accept()).not.toBeChecked();
  await userEvent.clear(amount());
  await userEvent.type(amount(), '50.00');
  expect(accept()).toBeNull();
  expect(sentTo(sent)).toEqual([]);
});

test('an amount that only the server reads is compared there', async () => {
  const { sent } = opens(REFUSED);
  await userEvent.type(amount(), '49,98');
  expect(accept()).toBeNull();
  await press('Confirm transfer');
  expect(await screen.findByText('This is not the amount due.')).toBeVisible();
  await userEvent.click(accept() as HTMLElement);
  await press('Confirm transfer');
  await waitFor(() => expect(sentTo(sent)).toHaveLength(2));
  expect(sentTo(sent)[1]?.body).toMatchObject({ Amount: '49,98', AcceptDifference: true });
});

test('only a payment that has ended says that its money comes late', async () => {
  opens();
  expect(screen.queryByText(/has ended/)).toBeNull();
});

test.each(['expired', 'failed'])('money for a payment that has %s goes to the wallet', async (State) => {
  opens(undefined, { State });
  expect(screen.getByText(/has ended.*goes to the customer's wallet/)).toBeVisible();
});
