// The page of an account: what it shows, and what operators can change.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { AccountPage } from './AccountPage';
import { account, detail, entry, page, replies, transaction } from './fixtures';

beforeEach(() => signInAs('operator'));

const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

async function opens() {
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId" element={<AccountPage />} />
    </Routes>,
    '/operator/accounts/7',
  );
  await screen.findByRole('heading', { level: 1, name: 'ann@example.com' });
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('an account that does not exist says so', async () => {
  answerWith({ 'Operator/GetAccount': { Code: 4004, Message: 'There is no such account', Data: null } });
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId" element={<AccountPage />} />
    </Routes>,
    '/operator/accounts/7',
  );
  expect(await screen.findByText('There is no such account')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('facts, latest orders, transactions with reasons, and history are on one page', async () => {
  const history = [
    entry({
      EntryId: 2,
      Action: 'wallet_credited',
      Channel: 'screen',
      Operator: 'boss@example.com',
      Reason: 'slow on Tuesday',
      Changes: [{ Field: 'balance', Before: '$7.00', After: '$12.00' }],
    }),
    entry(),
  ];
  const order = {
    OrderId: 3,
    OrderNumber: 'PO23456789AB',
    Kind: 'purchase',
    State: 'fulfilled',
    Quantity: 3,
    PeriodDays: 30,
    Lines: [],
    Total: '15.00',
    Currency: 'USD',
    CreatedAt: '2026-02-01 08:00:00',
  };
  const sent = answerWith({
    ...replies(detail(account(), { History: history })),
    'Operator/GetOrderList': page([{ AccountId: 7, Email: 'ann@example.com', Order: order }]),
    'Operator/GetTransactionList': ({ body }) =>
      body.After
        ? page([transaction(1, { Kind: 'purchase', Amount: '-15.00', OrderId: 3, OrderNumber: 'PO1' })])
        : page([transaction(2, { Reason: 'slow on Tuesday' })], { Next: 'cursor' }),
  });
  await opens();
  expect(screen.getByText('Ann Trading')).toBeVisible();
  expect(screen.getByText('1,234')).toBeVisible();
  expect(screen.getByText(/\(Asia\/Shanghai\)$/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'PO23456789AB' })).toHaveAttribute(
    'href',
    '/operator/orders?OrderNumber=PO23456789AB',
  );
  expect(screen.getByRole('link', { name: 'All orders: 6' })).toHaveAttribute('href', '/operator/orders?AccountId=7');
  expect(screen.getByRole('link', { name: 'Audit log' })).toHaveAttribute('href', '/operator/audit-log?AccountId=7');
  expect(screen.getByRole('link', { name: 'Conversation' })).toHaveAttribute('href', '/operator/support/7');
  const wallet = within(await screen.findByRole('list', { name: 'Wallet transactions' }));
  expect(await wallet.findByText('slow on Tuesday')).toBeVisible();
  expect(wallet.getByText('+$5.00')).toBeVisible();
  await press('Show more');
  expect(await wallet.findByText('-$15.00')).toBeVisible();
  expect(wallet.getByRole('link', { name: 'PO1' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  const done = within(screen.getByRole('list', { name: 'History' }));
  expect(done.getByText('Reason: slow on Tuesday')).toBeVisible();
  expect(done.getByText('boss@example.com')).toBeVisible();
  expect(of(sent, 'Operator/GetOrderList')[0]).toMatchObject({ Filter: { AccountId: 7 }, PageSize: 5 });
  expect(of(sent, 'Operator/GetTransactionList')).toMatchObject([{ AccountId: 7 }, { AccountId: 7, After: 'cursor' }]);
});

test.each([
  ['0.00', undefined],
  ['5.00', '$5.00'],
])('what the customer owes is shown if it is not zero: %s', async (Owed, shown) => {
  answerWith(replies(detail(account(), { Owed })));
  await opens();
  expect(screen.queryByText('Owes')?.nextElementSibling?.textContent).toBe(shown);
});

test('the receipt of a transaction is saved as PDF', async () => {
  const sent = answerWith({
    ...replies(),
    'Operator/GetTransactionList': page([
      transaction(42, { Kind: 'top_up', ReceiptNumber: 'RC-000042', OrderNumber: 'PO2' }),
      transaction(41, { Kind: 'purchase', InvoiceNumber: 'INV-2026-000007', OrderNumber: 'PO1' }),
    ]),
    'Billing/GetReceiptPdf': { file: 'RC-000042.pdf', text: '%PDF-' },
  });
  await opens();
  const wallet = within(await screen.findByRole('list', { name: 'Wallet transactions' }));
  await userEvent.click(await wallet.findByRole('button', { name: 'Save RC-000042 as PDF' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('RC-000042.pdf'));
  expect(of(sent, 'Billing/GetReceiptPdf')).toEqual([{ TransactionId: 42, Language: 'en' }]);
  // The invoice of a purchase is at its order.
  expect(wallet.getAllByRole('button')).toHaveLength(1);
  expect(wallet.getByRole('link', { name: 'PO1' })).toBeVisible();
});

test('an invalid discount stays on the screen and is not sent', async () => {
  const sent = answerWith(replies());
  await opens();
  await userEvent.click(screen.getByRole('radio', { name: /^Reseller/ }));
  await userEvent.type(screen.getByLabelText('Discount in percent'), '90.01');
  await press('Save level');
  expect(screen.getByLabelText('Discount in percent')).toHaveAccessibleDescription(/from 0 to 90%/);
  expect(of(sent, 'Operator/SetAccountTerms')).toEqual([]);
});

test('a reseller gets another discount, and becomes a customer again', async () => {
  const reseller = account({ Level: 1, ResellerBasisPoints: 1_250 });
  const sent = answerWith({
    ...replies(detail(reseller)),
    'Operator/SetAccountTerms': ({ body }) => ({
      Data: detail(account(body.Level === 1 ? { Level: 1, ResellerBasisPoints: 1_500 } : {})),
    }),
  });
  await opens();
  expect(screen.getByLabelText('Discount in percent')).toHaveValue('12.5');
  await userEvent.clear(screen.getByLabelText('Discount in percent'));
  await userEvent.type(screen.getByLabelText('Discount in percent'), ' 15 ');
  await press('Save level');
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('Saved: ann@example.com is now Reseller, 15% off', 'success'),
  );
  await userEvent.click(screen.getByRole('radio', { name: /^Customer/ }));
  await press('Save level');
  await waitFor(() => expect(showToast).toHaveBeenLastCalledWith('Saved: ann@example.com is now Customer', 'success'));
  expect(of(sent, 'Operator/SetAccountTerms')).toEqual([
    { AccountId: 7, Level: 1, Discount: '15' },
    { AccountId: 7, Level: 0 },
  ]);
});

test.each([
  ["an operator's account", detail(account({ Level: 2 })), /can only be changed on the server/, true],
  [
    'a closed account',
    detail(account({ State: 'suspended' }), { ClosedAt: '2026-02-01 09:00:00', Note: 'was kind' }),
    /was permanently closed on/,
    false,
  ],
])('%s says why it cannot be changed', async (_, answered, reason, hasSwitches) => {
  answerWith(replies(answered));
  await opens();
  expect(screen.getByText(reason)).toBeVisible();
  for (const name of ['Save level', 'Add or take money', 'Suspend account', 'Reactivate account'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'View as customer' })).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryAllByRole('switch')).toHaveLength(hasSwitches ? 2 : 0);
  expect(screen.queryAllByRole('textbox')).toHaveLength(hasSwitches ? 1 : 0);
  if (!hasSwitches) expect(screen.getByText('was kind')).toBeVisible();
});

test('a switch of the account center is sent at once, with the other switch unchanged', async () => {
  const sent = answerWith({
    ...replies(),
    'Operator/SetAccountFlags': { Data: detail(account(), { ShowAccessToken: true }) },
  });
  await opens();
  await userEvent.click(screen.getByRole('switch', { name: 'Show the access token' }));
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Show the access token' })).toBeChecked());
  expect(of(sent, 'Operator/SetAccountFlags')).toEqual([
    { AccountId: 7, ShowInvitationCode: true, ShowAccessToken: true },
  ]);
});

test('an account is suspended with a reason, which is in its history, and reactivated', async () => {
  const History = [entry({ Action: 'account_suspended', Reason: 'chargebacks' })];
  const suspended = detail(account({ State: 'suspended' }), { History });
  const sent = answerWith({ ...replies(), 'Operator/SetAccountState': { Data: suspended } });
  await opens();
  await press('Suspend account');
  expect(screen.getByLabelText('Reason')).toHaveAccessibleDescription(/required/);
  await userEvent.type(screen.getByLabelText('Reason'), 'chargebacks');
  await press('Suspend account');
  expect(await screen.findByText('Reason: chargebacks')).toBeVisible();
  await press('Reactivate account');
  await waitFor(() => expect(of(sent, 'Operator/SetAccountState')).toHaveLength(2));
  expect(of(sent, 'Operator/SetAccountState')).toEqual([
    { AccountId: 7, State: 'suspended', Reason: 'chargebacks' },
    { AccountId: 7, State: 'active' },
  ]);
});

test('a note is bounded, saved by its button, and shown as the server stored it', async () => {
  const sent = answerWith({
    ...replies(detail(account(), { Note: 'old' })),
    'Operator/SaveAccountNote': ({ body }) => ({ Data: detail(account(), { Note: String(body.Note).trim() }) }),
  });
  await opens();
  const field = screen.getByLabelText('Note about the customer');
  expect(field).toHaveValue('old');
  await userEvent.clear(field);
  await userEvent.click(field);
  await userEvent.paste('x'.repeat(2_001));
  await press('Save note');
  expect(field).toHaveAccessibleDescription(/2,?000/);
  expect(of(sent, 'Operator/SaveAccountNote')).toEqual([]);
  await userEvent.clear(field);
  await userEvent.paste('pays late\n');
  await press('Save note');
  await waitFor(() => expect(field).toHaveValue('pays late'));
  expect(showToast).toHaveBeenCalledWith('Note saved', 'success');
});

test('a second factor is turned off with a reason, if there is one', async () => {
  const sent = answerWith({
    ...replies(detail(account(), { Facts: { HasTwoFactor: true } })),
    'Operator/TurnOffTwoFactor': { Data: detail() },
  });
  await opens();
  await press('Turn off two-factor authentication');
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/is signed out everywhere/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(/required/);
  await userEvent.type(dialog.getByLabelText('Reason'), 'called back');
  await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Turn off two-factor authentication' })).toBeNull();
  expect(of(sent, 'Operator/TurnOffTwoFactor')).toEqual([{ AccountId: 7, Reason: 'called back' }]);
});
