// A callback processed again: who may, what came of it, and why not.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Callback } from '@/api/operatorPayments';
import { toastError } from '@/test/mocks';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { CallbackDialog } from './CallbackDialog';
import { CallbackList } from './CallbackList';
import { callback, page } from './fixtures';

const CALL = 'Operator/ReplayCallback';
const LIST = 'Order/GetCallbackList';
const REFUSED = { CallbackId: 9, Verdict: 'unknown_payment', IsRefused: true, CanReplay: true, OrderNumber: null };

const again = () => screen.queryByRole('button', { name: 'Process again' });
const press = () => userEvent.click(screen.getByRole('button', { name: 'Process again' }));
const replayed = (Verdict: string, IsRefused: boolean) => ({ Data: { CallbackId: 9, Verdict, IsRefused } });
const bodies = (sent: Sent[]) => sent.filter(({ call }) => call === CALL).map(({ body }) => body);

function opens(reply: Parameters<typeof answerWith>[0][string], change: object = REFUSED) {
  const sent = answerWith({ [CALL]: reply });
  renderScreen(<CallbackDialog callback={callback(change) as Callback} onClose={() => {}} />);
  return sent;
}

beforeEach(() => signInAs('operator'));

test('one that was refused is processed again, and the dialog has its new result', async () => {
  const sent = opens(replayed('settle', false));
  expect(screen.getByText(/it counts once/)).toBeVisible();
  expect(screen.getByText('Unknown payment')).toHaveAttribute('data-tone', 'warn');
  await press();
  expect(await screen.findByText('Processed again: Settled')).toBeVisible();
  expect(screen.getByText('Settled')).toHaveAttribute('data-tone', 'good');
  expect(screen.queryByText('Unknown payment')).toBeNull();
  expect(screen.getByText('Just now')).toBeVisible();
  expect(again()).toBeNull();
  expect(bodies(sent)).toEqual([{ CallbackId: 9 }]);
});

test('one that is refused again can be tried once more', async () => {
  const answers = [replayed('wrong_amount', true), replayed('credit_wallet', false)];
  const sent = opens(() => answers.shift() ?? 'network');
  await press();
  expect(await screen.findByText('Refused again: Wrong amount')).toBeVisible();
  await press();
  expect(await screen.findByText('Processed again: Credited to the wallet')).toBeVisible();
  expect(bodies(sent)).toHaveLength(2);
});

test('a refusal of the call is shown in place', async () => {
  const Message = 'This callback cannot be processed again';
  opens({ Code: 3333, Message, Data: { Key: 'callbackNotReplayable' } });
  await press();
  expect(await screen.findByRole('alert')).toHaveTextContent(Message);
  expect(screen.getByText('Unknown payment')).toBeVisible();
  expect(toastError).not.toHaveBeenCalled();
});

test('one that was settled, or is not kept, is not processed again', () => {
  opens('network', { CanReplay: false });
  expect(again()).toBeNull();
  expect(screen.queryByText(/it counts once/)).toBeNull();
});

test.each(['support', 'accountant'] as const)('%s may not', (role) => {
  signInAs(role);
  opens('network');
  expect(again()).toBeNull();
});

test('the list behind the dialog is fetched again', async () => {
  onPhone();
  const sent = answerWith({
    [LIST]: page([callback(REFUSED)], { ForgedLately: 0 }),
    [CALL]: replayed('settle', false),
  });
  renderScreen(<CallbackList />);
  await userEvent.click(await screen.findByRole('button', { name: /checkout\.session/ }));
  const before = sent.length;
  await press();
  await screen.findByText('Processed again: Settled');
  expect(sent.slice(before).map(({ call }) => call)).toContain(LIST);
});
