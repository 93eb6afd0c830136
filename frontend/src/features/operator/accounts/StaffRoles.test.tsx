// An account's page by role: who becomes one of the staff, and what support and accountants see of it.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { StaffRole } from '@/core/constants.gen';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { AccountPage } from './AccountPage';
import { account, detail, entry, replies } from './fixtures';

const SET_TERMS = 'Operator/SetAccountTerms';
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const choose = (name: RegExp) => userEvent.click(screen.getByRole('radio', { name }));

async function opens() {
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId" element={<AccountPage />} />
    </Routes>,
    '/operator/accounts/7',
  );
  await screen.findByRole('heading', { level: 1, name: 'ann@example.com' });
}

beforeEach(() => signInAs('operator'));

test('an operator makes a customer support, then an accountant, then a customer again', async () => {
  const sent = answerWith({
    ...replies(),
    [SET_TERMS]: ({ body: { Level, Role = null } }) => ({ Data: detail(account({ Level, Role })) }),
  });
  await opens();
  await choose(/^Support/);
  expect(screen.getByText(/^ann@example.com will see the accounts and orders of all customers/)).toBeVisible();
  expect(screen.queryByLabelText('Discount in percent')).toBeNull();
  await press('Save level');
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('Saved: ann@example.com is now Support', 'success'));
  // Staff are neither credited nor suspended nor viewed.
  for (const name of ['Add or take money', 'Suspend account'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'View as customer' })).toBeNull();
  expect(screen.queryByText(/will see the accounts/)).toBeNull();
  await choose(/^Accountant/);
  await press('Save level');
  await waitFor(() =>
    expect(showToast).toHaveBeenLastCalledWith('Saved: ann@example.com is now Accountant', 'success'),
  );
  await choose(/^Customer/);
  await press('Save level');
  expect(await screen.findByRole('button', { name: 'Suspend account' })).toBeVisible();
  expect(of(sent, SET_TERMS)).toEqual([
    { AccountId: 7, Level: 2, Role: 'support' },
    { AccountId: 7, Level: 2, Role: 'accountant' },
    { AccountId: 7, Level: 0 },
  ]);
});

test('the role of an account is chosen when its page opens, and beside its name', async () => {
  answerWith(replies(detail(account({ Level: 2, Role: 'accountant' }))));
  await opens();
  expect(screen.getByRole('radio', { name: /^Accountant/ })).toBeChecked();
  expect(screen.getByText('Accountant', { selector: '[data-tone]' })).toBeVisible();
  expect(screen.queryByText(/can only be changed on the server/)).toBeNull();
});

test('an account that may do everything is changed by a command, which its page names', async () => {
  answerWith(replies(detail(account({ Level: 2, Role: 'operator' }))));
  await opens();
  expect(screen.getByText('Operator', { selector: '[data-tone]' })).toBeVisible();
  expect(screen.getByText('postern account level ann@example.com customer')).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});

/** Names of everything that can be pressed or typed into. */
const controls = () =>
  ['button', 'link', 'radio', 'switch', 'textbox'].flatMap((role) =>
    screen
      .queryAllByRole(role)
      .map((one) => (role === 'textbox' ? role : one.getAttribute('aria-label') || one.textContent)),
  );

test.each<[StaffRole, string[]]>([
  ['support', ['Save note', 'View as customer', 'Conversation', 'textbox']],
  ['accountant', ['Audit log']],
])('%s sees a customer with what the role may do, and asks for nothing else', async (role, expected) => {
  signInAs(role);
  const customer = detail(account(), {
    Note: 'pays late',
    History: [entry()],
    Facts: { HasTwoFactor: true, Orders: 0 },
  });
  const sent = answerWith(replies(customer));
  await opens();
  expect(await screen.findByText('No transactions yet')).toBeVisible();
  expect(screen.getByText('pays late')).toBeVisible();
  expect(controls().sort()).toEqual(expected.sort());
  expect(forbidden(sent, role)).toEqual([]);
});

test.each<[StaffRole]>([['support'], ['accountant']])(
  "%s is not told how to change operators' accounts",
  async (role) => {
    signInAs(role);
    answerWith(replies(detail(account({ Level: 2, Role: 'operator' }))));
    await opens();
    expect(screen.queryByText(/can only be changed on the server/)).toBeNull();
  },
);

test('the texts that a customer has accepted are among the facts, and nothing without any', async () => {
  const AcceptedTexts = [
    { Kind: 'terms', Version: 2, AcceptedAt: '2026-02-03 09:00:00' },
    { Kind: 'privacy', Version: 1, AcceptedAt: '2026-01-05 10:00:00' },
  ];
  answerWith(replies(detail(account(), { AcceptedTexts })));
  await opens();
  const [terms, privacy] = ['Accepted terms', 'Accepted privacy policy'].map(
    (name) => screen.getByText(name).nextElementSibling,
  );
  expect(terms).toHaveTextContent(/^Version 2, .*2026/);
  expect(privacy).toHaveTextContent(/^Version 1, .*2026/);
});
