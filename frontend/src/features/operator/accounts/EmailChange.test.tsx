// Changing a customer's email address.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { AccountPage } from './AccountPage';
import { account, detail, entry, replies } from './fixtures';

const CALL = 'Operator/RequestEmailChange';
const requests = (sent: Sent[]) => sent.filter((one) => one.call === CALL);

async function opens(answer: Parameters<typeof answerWith>[0][string], read = replies()) {
  const sent = answerWith({ ...read, [CALL]: answer });
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId" element={<AccountPage />} />
    </Routes>,
    '/operator/accounts/7',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Change email address' }));
  const dialog = within(screen.getByRole('dialog'));
  const [email, reason] = [dialog.getByLabelText('New email address'), dialog.getByLabelText('Reason')];
  return { sent, dialog, email, reason, submit: dialog.getByRole('button', { name: 'Send confirmation link' }) };
}

beforeEach(() => signInAs('operator'));

test('the dialog says what happens, and sends nothing without an address and a reason', async () => {
  const { sent, dialog, email, reason, submit } = await opens({ Data: { Sent: true } });
  expect(dialog.getByText(/ann@example.com, gets a link that stops it. Nothing changes before/)).toBeVisible();
  await userEvent.click(submit);
  expect(email).toHaveAccessibleDescription(/required/);
  expect(reason).toHaveAccessibleDescription(/required/);
  expect(email).toHaveFocus();
  await userEvent.type(email, 'ANN@example.com');
  await userEvent.click(submit);
  expect(email).toHaveAccessibleDescription(/already/);
  expect(requests(sent)).toEqual([]);
});

test('a request is sent once, told, and is in the history; the address stays', async () => {
  let isRequested = false;
  const History = [entry({ Action: 'email_change_requested', Channel: 'screen', Reason: 'called back' })];
  const { sent, email, reason, submit } = await opens(
    () => {
      isRequested = true;
      return { Data: { Sent: true } };
    },
    {
      ...replies(),
      'Operator/GetAccount': () => ({ Data: detail(account(), isRequested ? { History } : {}) }),
    } as unknown as ReturnType<typeof replies>,
  );
  await userEvent.type(email, ' ann.lee@example.com ');
  await userEvent.type(reason, 'called back');
  await userEvent.click(submit);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(showToast).toHaveBeenCalledWith('A confirmation link is on its way to ann.lee@example.com', 'success');
  expect(await screen.findByText('Reason: called back')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'ann@example.com' })).toBeVisible();
  expect(requests(sent).map(({ body }) => body)).toEqual([
    { AccountId: 7, Email: 'ann.lee@example.com', Reason: 'called back' },
  ]);
  expect(requests(sent)[0]?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
});

test('what the server refuses stands at the address', async () => {
  const Fields = { Email: [{ Rule: 'email', Params: {} }] };
  const { email, reason, submit } = await opens({ Code: 2001, Message: 'Invalid', Data: { Fields } });
  await userEvent.type(email, 'ann.lee@example.com');
  await userEvent.type(reason, 'called back');
  await userEvent.click(submit);
  await waitFor(() => expect(email).toBeInvalid());
  expect(email).toHaveFocus();
  expect(screen.getByRole('dialog')).toBeVisible();
  expect(showToast).not.toHaveBeenCalledWith(expect.stringMatching(/on its way/), 'success');
});
