// The list of accounts.
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { AccountsPage } from './AccountsPage';
import { account, page } from './fixtures';

beforeEach(onPhone);

test('an account leads to its page', async () => {
  answerWith({ 'Operator/GetAccountList': page([account()]) });
  renderScreen(<AccountsPage />);
  const link = await screen.findByRole('link', { name: 'ann@example.com' });
  expect(link).toHaveAttribute('href', '/operator/accounts/7');
});

test('the address at which an account was opened before leads to its page', async () => {
  const sent = answerWith({});
  const { addressNow } = renderScreen(
    <Routes>
      <Route path="/operator/accounts" element={<AccountsPage />} />
      <Route path="*" element={null} />
    </Routes>,
    '/operator/accounts?Search=ann&AccountId=7',
  );
  await waitFor(() => expect(addressNow()).toBe('/operator/accounts/7'));
  expect(sent).toEqual([]);
});
