// Changes as screens send them: once, under one idempotency key, and what follows an answer or a refusal.
import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { showToast, toastError } from '@/ui/toast';
import { change, query } from './calls';
import { useCall } from './useCall';

const alertQuery = query(['alert'], 'Wallet/GetLowBalanceAlert');
const setAlert = change('Wallet/SetLowBalanceAlert', { outdates: [['alert']] });
const CALL = 'Wallet/SetLowBalanceAlert';
const ALERT = { 'Wallet/GetLowBalanceAlert': { Data: {} } };
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call);
const keysOf = (sent: Sent[]) => of(sent, CALL).map(({ headers }) => headers['Idempotency-Key']);

interface Props {
  silent?: boolean;
  onDone?: () => void;
}

function Form({ silent = false, onDone }: Props) {
  useQuery(alertQuery);
  const save = useCall(setAlert, { silent });
  return (
    <>
      {['5.00', '6.00'].map((Threshold) => (
        <button key={Threshold} type="button" onClick={() => save.run({ Threshold }, onDone)}>
          {Threshold}
        </button>
      ))}
      <p>{save.isBusy ? 'busy' : 'idle'}</p>
      <p>field: {save.bind('Threshold', '', () => {}).error}</p>
      <p>message: {save.message}</p>
      <p>{save.isUnanswered ? 'unanswered' : 'answered'}</p>
      <p>answer: {save.answer?.Threshold}</p>
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const idle = () => waitFor(() => expect(screen.getByText('idle')).toBeVisible());

test('a repeat after a lost answer has the same idempotency key, another body a new one', async () => {
  const sent = answerWith({ [CALL]: 'network', ...ALERT });
  renderScreen(<Form />);
  for (const threshold of ['5.00', '5.00', '6.00']) {
    await press(threshold);
    await idle();
  }
  const [first, second, third] = keysOf(sent);
  expect(first).toBeTruthy();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(toastError).toHaveBeenCalled();
});

test.each([
  ['a refusal', { Code: 4005, Message: 'No' }],
  ['a success', { Data: { Threshold: '5.00' } }],
])('after %s, the same body is a new request', async (_, reply) => {
  const sent = answerWith({ [CALL]: reply, ...ALERT });
  renderScreen(<Form />);
  for (const threshold of ['5.00', '5.00']) {
    await press(threshold);
    await idle();
  }
  await waitFor(() => expect(new Set(keysOf(sent)).size).toBe(2));
});

test('while one call is under way, another click sends nothing', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const onDone = vi.fn();
  const sent = answerWith({ [CALL]: () => answered.then(() => ({ Data: { Threshold: '5.00' } })) });
  renderScreen(<Form onDone={onDone} />);
  await press('5.00');
  await press('6.00');
  expect(screen.getByText('busy')).toBeVisible();
  answer();
  expect(await screen.findByText('answer: 5.00')).toBeVisible();
  expect(of(sent, CALL)).toHaveLength(1);
  expect(onDone).toHaveBeenCalledTimes(1);
});

test.each([
  ['an answer', { Data: { Threshold: '5.00' } }, ''],
  ['a refusal', { Code: 4005, Message: 'No' }, ''],
  ['a lost answer', 'network' as const, ''],
  [
    'invalid fields',
    { Code: 2001, Data: { Fields: { Threshold: [{ Rule: 'required', Params: {} }] } } },
    'This is required',
  ],
])('after %s, what the call outdates is fetched again', async (_, reply, atField) => {
  const sent = answerWith({ [CALL]: reply, ...ALERT });
  renderScreen(<Form />);
  await waitFor(() => expect(of(sent, 'Wallet/GetLowBalanceAlert')).toHaveLength(1));
  await press('5.00');
  await waitFor(() => expect(of(sent, 'Wallet/GetLowBalanceAlert')).toHaveLength(2));
  await idle();
  expect(screen.getByText(/^field:/)).toHaveTextContent(`field: ${atField}`.trim());
});

test.each([
  [
    'a refusal for the form is shown in it',
    false,
    { Code: 3333, Message: 'Not today', Data: { Key: 'later' } },
    'Not today',
  ],
  ['any other is a toast', false, { Code: 4005, Message: 'Not so' }, ''],
  ['a silent call shows every refusal in the form', true, { Code: 4005, Message: 'Not so' }, 'Not so'],
])('%s', async (_, silent, reply, message) => {
  answerWith({ [CALL]: reply, ...ALERT });
  renderScreen(<Form silent={silent} />);
  await press('5.00');
  await waitFor(() => expect(screen.getByText(/^message:/)).toHaveTextContent(`message: ${message}`.trim()));
  await idle();
  expect(toastError).toHaveBeenCalledTimes(message ? 0 : 1);
});

test.each(['viewOnly', 'viewChangesUsed'])('the refusal of a change in a view is a toast: %s', async (Key) => {
  answerWith({ [CALL]: { Code: 3333, Message: 'Not here', Data: { Key } }, ...ALERT });
  renderScreen(<Form />);
  await press('5.00');
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('Not here', 'info'));
  await idle();
  expect(screen.getByText(/^message:/)).toHaveTextContent(/^message:$/);
});

test('what got no answer says so beside the form, until it is sent again', async () => {
  const replies: Record<string, unknown> = { [CALL]: 'network', ...ALERT };
  answerWith(replies as Parameters<typeof answerWith>[0]);
  renderScreen(<Form />);
  await press('5.00');
  await idle();
  expect(screen.getByText('unanswered')).toBeVisible();
  expect(screen.getByText('message:')).toBeVisible();
  answerWith({ [CALL]: { Data: { Threshold: '5.00' } }, ...ALERT });
  await press('5.00');
  await idle();
  expect(screen.getByText('answered')).toBeVisible();
});
