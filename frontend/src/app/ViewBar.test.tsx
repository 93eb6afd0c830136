// The bar above the screens while an operator views the shop as a customer.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { USER_STORE_KEY } from '@/core/constants.gen';
import { type UserInfo, useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { ViewBar } from './ViewBar';

const VIEW = { Email: 'ann@example.com', ExpiresAt: '2026-02-01 14:30:00', AccountId: 7 };

test('it says who the customer is and until when, and ends the view on the server and here', async () => {
  const replace = vi.fn();
  vi.stubGlobal('location', { ...window.location, replace });
  const sent = answerWith({ 'User/Logout': {} });
  sessionStorage.setItem(USER_STORE_KEY, '{}');
  useUserStore.setState({ info: { UserId: 2, Token: 'view' } as UserInfo, view: VIEW });
  const { unmount } = renderScreen(<ViewBar view={VIEW} />);
  expect(screen.getByRole('status')).toHaveTextContent(
    'You see the shop as ann@example.com, until 14:30. Changes are refused unless the shop allows them.',
  );
  const { style } = document.documentElement;
  expect(style.getPropertyValue('--view-bar')).toMatch(/px$/);
  await userEvent.click(screen.getByRole('button', { name: 'End view' }));
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/operator/accounts/7'));
  expect(sent.map(({ call, headers }) => [call, headers.Token])).toEqual([['User/Logout', 'view']]);
  unmount();
  expect(style.getPropertyValue('--view-bar')).toBe('');
});
