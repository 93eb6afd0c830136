// The question before the operator sees the shop as a customer.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { USER_STORE_KEY } from '@/core/constants.gen';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { replies } from './fixtures';
import { ViewPage } from './ViewPage';

const replace = vi.fn();

beforeEach(() => {
  replace.mockReset();
  vi.stubGlobal('location', { ...window.location, replace });
});

const opens = () =>
  renderScreen(
    <Routes>
      <Route path="/operator/accounts/:accountId/view" element={<ViewPage />} />
    </Routes>,
    '/operator/accounts/7/view',
  );

test('a refusal is shown beside the button', async () => {
  const Message = 'This account was permanently closed by its owner';
  answerWith({ ...replies(), 'Operator/ViewAsCustomer': { Code: 3333, Message, Data: { Key: 'accountClosed' } } });
  opens();
  await userEvent.click(await screen.findByRole('button', { name: 'Start viewing' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(Message);
  expect(replace).not.toHaveBeenCalled();
});

test('it asks, says for how long, and begins once it is told to', async () => {
  const view = { Token: 'view', Email: 'ann@example.com', ExpiresAt: '2026-02-01 14:30:00' };
  const sent = answerWith({
    ...replies(),
    'Operator/ViewAsCustomer': { Data: view },
    'User/GetUserInfo': { Data: { UserId: 2, Email: view.Email, Level: 0, IsView: true, TextsToAccept: [] } },
  });
  opens();
  expect(await screen.findByText(/does, for 1 hour/)).toBeVisible();
  expect(sent.map(({ call }) => call)).toEqual(['Operator/GetAccount']);
  await userEvent.click(screen.getByRole('button', { name: 'Start viewing' }));
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/welcome/products'));
  expect(JSON.parse(sessionStorage.getItem(USER_STORE_KEY) ?? '').state.view).toMatchObject({ AccountId: 7 });
});
