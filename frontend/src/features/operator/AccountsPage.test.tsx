// Editing accounts: level, discount, account center and suspension.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { AccountsPage } from './AccountsPage';

const account = (change: object = {}) => ({
  AccountId: 7,
  Email: 'ann@example.com',
  Name: 'Ann Trading',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  WalletBalance: '12.00',
  TotalExpenses: '340.00',
  Currency: 'USD',
  CreatedAt: '2026-01-05 10:00:00',
  ...change,
});
const CHANGE = {
  ChangedAt: '2026-02-01 09:00:00',
  ChangedBy: null,
  FromLevel: 0,
  FromBasisPoints: 0,
  ToLevel: 1,
  ToBasisPoints: 1_250,
};
const detail = (found: object, changes: object[] = [], more: object = {}) => ({
  Account: found,
  ClosedAt: null,
  ShowInvitationCode: true,
  ShowAccessToken: false,
  Changes: changes,
  History: [],
  ...more,
});
const replies = (found: object, changes: object[] = []) => ({
  'Operator/GetAccountList': { Data: { Rows: [found], Total: 1, Page: 1, PageSize: 50 } },
  'Operator/GetAccount': { Data: detail(found, changes) },
});
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

beforeEach(onPhone);

async function opens(email = 'ann@example.com') {
  await userEvent.click(await screen.findByRole('link', { name: email }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('Ann Trading');
  return within(dialog);
}

test('an invalid discount stays on the screen and is not sent', async () => {
  const sent = answerWith(replies(account()));
  renderScreen(<AccountsPage />);
  const dialog = await opens();
  await userEvent.click(dialog.getByRole('radio', { name: /^Reseller/ }));
  await userEvent.type(dialog.getByLabelText('Discount in percent'), '90.01');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByLabelText('Discount in percent')).toHaveAccessibleDescription(/from 0 to 90%/);
  expect(of(sent, 'Operator/SetAccountTerms')).toEqual([]);
});

test('an account becomes a reseller, and a customer again', async () => {
  const reseller = account({ Level: 1, ResellerBasisPoints: 1_250 });
  const sent = answerWith({
    ...replies(reseller, [CHANGE]),
    'Operator/SetAccountTerms': { Data: detail(account()) },
  });
  renderScreen(<AccountsPage />);
  let dialog = await opens();
  expect(dialog.getByText('Customer → Reseller, 12.5% off')).toBeVisible();
  expect(dialog.getByText(/by a command on the server/)).toBeVisible();
  expect(dialog.getByLabelText('Discount in percent')).toHaveValue('12.5');
  await userEvent.clear(dialog.getByLabelText('Discount in percent'));
  await userEvent.type(dialog.getByLabelText('Discount in percent'), ' 15 ');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  dialog = await opens();
  await userEvent.click(dialog.getByRole('radio', { name: /^Customer/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(of(sent, 'Operator/SetAccountTerms')).toEqual([
    { AccountId: 7, Level: 1, Discount: '15' },
    { AccountId: 7, Level: 0 },
  ]);
});

test("an operator's account is read-only", async () => {
  answerWith(replies(account({ Level: 2 })));
  renderScreen(<AccountsPage />);
  const dialog = await opens();
  expect(dialog.getByText(/can only be changed on the server/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(dialog.queryByRole('radio')).toBeNull();
});

test('an account closed by its owner is read-only', async () => {
  const closed = detail(account({ State: 'suspended' }), [], { ClosedAt: '2026-02-01 09:00:00' });
  answerWith({ ...replies(account()), 'Operator/GetAccount': { Data: closed } });
  renderScreen(<AccountsPage />);
  const dialog = await opens();
  expect(dialog.getByText(/closed this account on 2026-02-01 09:00:00/)).toBeVisible();
  for (const name of ['Save', 'Reactivate account']) expect(dialog.queryByRole('button', { name })).toBeNull();
  expect(dialog.queryByRole('switch')).toBeNull();
});

test('a switch of the account center is sent at once, with the other switch unchanged', async () => {
  const sent = answerWith({
    ...replies(account()),
    'Operator/SetAccountFlags': { Data: detail(account(), [], { ShowAccessToken: true }) },
  });
  renderScreen(<AccountsPage />);
  const dialog = await opens();
  await userEvent.click(dialog.getByRole('switch', { name: 'Show the access token' }));
  await waitFor(() => expect(dialog.getByRole('switch', { name: 'Show the access token' })).toBeChecked());
  expect(of(sent, 'Operator/SetAccountFlags')).toEqual([
    { AccountId: 7, ShowInvitationCode: true, ShowAccessToken: true },
  ]);
});

test('an account is suspended with a reason, which is listed among the changes, and reactivated', async () => {
  const change = { ChangedAt: '2026-02-03 09:00:00', ChangedBy: 'boss@example.com', Change: 'suspended' };
  const suspended = detail(account({ State: 'suspended' }), [CHANGE], {
    History: [{ ...change, Reason: 'chargebacks' }],
  });
  const sent = answerWith({ ...replies(account(), [CHANGE]), 'Operator/SetAccountState': { Data: suspended } });
  renderScreen(<AccountsPage />);
  const dialog = await opens();
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend account' }));
  expect(dialog.getByLabelText('Reason')).toHaveAccessibleDescription(/required/);
  await userEvent.type(dialog.getByLabelText('Reason'), 'chargebacks');
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend account' }));
  expect(await dialog.findByText('Suspended: chargebacks')).toBeVisible();
  expect(dialog.getAllByRole('listitem')).toHaveLength(2);
  await userEvent.click(dialog.getByRole('button', { name: 'Reactivate account' }));
  await waitFor(() => expect(of(sent, 'Operator/SetAccountState')).toHaveLength(2));
  expect(of(sent, 'Operator/SetAccountState')).toEqual([
    { AccountId: 7, State: 'suspended', Reason: 'chargebacks' },
    { AccountId: 7, State: 'active' },
  ]);
});
