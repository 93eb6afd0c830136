// Closing a customer's account: what it says, the consent to what is lost, and who may.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { StaffRole } from '@/core/constants.gen';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { AccountPage } from './AccountPage';
import { account, detail, replies } from './fixtures';

const CALL = 'Operator/CloseAccount';
const LEFT = { Balance: '12.00', Currency: 'USD', Proxies: 2, Gigabytes: '1250.5', Commissions: '3.40' };
const refused = (Data: object) => ({ Code: 3333, Message: 'for the customer', Data });
const CLOSED = {
  Data: detail(account({ Email: 'closed 5', State: 'suspended', WalletBalance: '0.00' }), {
    ClosedAt: '2026-02-01 09:00:00',
  }),
};
const closings = (sent: Sent[]) => sent.filter((one) => one.call === CALL).map((one) => one.body);

async function opens(answer: Parameters<typeof answerWith>[0][string], answered = detail()) {
  const sent = answerWith({ ...replies(answered), [CALL]: answer });
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId" element={<AccountPage />} />
    </Routes>,
    '/operator/accounts/7',
  );
  await screen.findByRole('heading', { level: 1, name: 'ann@example.com' });
  return sent;
}

async function opensDialog() {
  await userEvent.click(screen.getByRole('button', { name: 'Close account' }));
  const dialog = within(screen.getByRole('dialog'));
  return { dialog, submit: dialog.getByRole('button', { name: 'Close permanently' }) };
}

beforeEach(() => signInAs('operator'));

test('nothing is sent without a reason', async () => {
  const sent = await opens(CLOSED);
  const { dialog, submit } = await opensDialog();
  expect(dialog.getByText(/ann@example.com is closed at once. This cannot be undone/)).toBeVisible();
  expect(dialog.getByRole('list', { name: 'What happens' }).children).toHaveLength(5);
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(/do not name the customer/);
  await userEvent.click(submit);
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(/required/);
  expect(closings(sent)).toEqual([]);
});

test('an empty account is closed at once, and its page says so', async () => {
  const sent = await opens(CLOSED);
  const { dialog, submit } = await opensDialog();
  await userEvent.type(dialog.getByLabelText('Reason'), 'asked by chat');
  await userEvent.click(submit);
  expect(await screen.findByText(/was permanently closed on/)).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Close account' })).toBeNull();
  expect(showToast).toHaveBeenCalledWith('The account of ann@example.com is closed', 'success');
  expect(closings(sent)).toEqual([{ AccountId: 7, Reason: 'asked by chat', GiveUpBalance: false }]);
});

test('what would be lost is listed, and given up only with consent', async () => {
  const sent = await opens(({ body }) => (body.GiveUpBalance ? CLOSED : refused({ Key: 'closingLeaves', ...LEFT })));
  const { dialog, submit } = await opensDialog();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await userEvent.type(dialog.getByLabelText('Reason'), 'asked by chat');
  await userEvent.click(submit);
  const losses = await dialog.findByRole('list', { name: 'What the customer loses' });
  const lines = Array.from(losses.children, (line) => line.textContent);
  expect(lines).toEqual([
    '$12.00 in the wallet',
    '2 static proxies',
    '1,250.5 GB of residential traffic',
    '$3.40 in commissions',
  ]);
  expect(dialog.queryByText('for the customer')).toBeNull();
  const consent = dialog.getByRole('checkbox', { name: /agrees to lose all of this/ });
  expect(consent).toHaveFocus();
  expect(submit).toBeDisabled();
  // The list stays while the reason is edited.
  await userEvent.type(dialog.getByLabelText('Reason'), ' twice');
  expect(losses).toBeVisible();
  await userEvent.click(consent);
  await userEvent.click(submit);
  expect(await screen.findByText(/was permanently closed on/)).toBeVisible();
  expect(closings(sent)).toEqual([
    { AccountId: 7, Reason: 'asked by chat', GiveUpBalance: false },
    { AccountId: 7, Reason: 'asked by chat twice', GiveUpBalance: true },
  ]);
});

test('nothing that is not left is listed', async () => {
  const only = { ...LEFT, Balance: '0.00', Gigabytes: '0', Commissions: '0.00', Proxies: 1 };
  await opens(refused({ Key: 'closingLeaves', ...only }));
  const { dialog, submit } = await opensDialog();
  await userEvent.type(dialog.getByLabelText('Reason'), 'asked by chat');
  await userEvent.click(submit);
  const losses = await dialog.findByRole('list', { name: 'What the customer loses' });
  expect(Array.from(losses.children, (line) => line.textContent)).toEqual(['1 static proxy']);
});

test('the balance moves to the other account, whose address is refused at its field', async () => {
  const unknown = { Code: 2001, Message: 'Invalid', Data: { Fields: { BalanceTo: [{ Rule: 'noOtherAccount' }] } } };
  const sent = await opens(({ body }) => (body.BalanceTo === 'bob@example.com' ? CLOSED : unknown));
  const { dialog, submit } = await opensDialog();
  const other = dialog.getByLabelText("Email address of the customer's other account");
  await userEvent.type(other, 'bot@example.com ');
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(/sees it with the balance that moves/);
  await userEvent.type(dialog.getByLabelText('Reason'), 'signed up twice');
  await userEvent.click(submit);
  await vi.waitFor(() => expect(other).toHaveAccessibleDescription(/No other open customer account/));
  await userEvent.clear(other);
  await userEvent.type(other, 'bob@example.com');
  await userEvent.click(submit);
  expect(await screen.findByText(/was permanently closed on/)).toBeVisible();
  expect(closings(sent).at(-1)).toEqual({
    AccountId: 7,
    Reason: 'signed up twice',
    GiveUpBalance: false,
    BalanceTo: 'bob@example.com',
  });
});

test('unpaid orders are in the way, and can be looked at', async () => {
  await opens(refused({ Key: 'closingUnpaidOrders' }));
  const { dialog, submit } = await opensDialog();
  await userEvent.type(dialog.getByLabelText('Reason'), 'asked by chat');
  await userEvent.click(submit);
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^The customer has unpaid orders/);
  expect(dialog.queryByText('for the customer')).toBeNull();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  expect(dialog.getByRole('link')).toHaveAttribute('href', '/operator/orders?AccountId=7');
});

test('an account that is closed already is refused in the words of the server', async () => {
  await opens({ Code: 3333, Message: 'This account is permanently closed', Data: { Key: 'accountClosed' } });
  const { dialog, submit } = await opensDialog();
  await userEvent.type(dialog.getByLabelText('Reason'), 'asked by chat');
  await userEvent.click(submit);
  expect(await dialog.findByRole('alert')).toHaveTextContent('This account is permanently closed');
});

test.each<[string, StaffRole, object]>([
  ['one of the staff', 'operator', account({ Level: 2, Role: 'support' })],
  ['a customer, by support', 'support', account()],
  ['a customer, by an accountant', 'accountant', account()],
])('%s cannot be closed, nor get another address', async (_, role, found) => {
  signInAs(role);
  await opens(CLOSED, detail(found));
  expect(screen.queryByRole('button', { name: 'Close account' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Change email address' })).toBeNull();
});
