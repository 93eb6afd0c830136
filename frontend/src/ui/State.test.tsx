// The state of a load that failed.
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CallError } from '@/api/client';
import { useConnection } from '@/api/connection';
import { renderScreen } from '@/test/render';
import { ErrorState } from './State';

const GENERAL = /^The server did not answer as expected/;

afterEach(() => useConnection.setState({ lost: null }));

test("the server's own message is shown", () => {
  renderScreen(<ErrorState error={new CallError(5003, 'The shop is being updated', {})} onRetry={() => {}} />);
  expect(screen.getByRole('alert')).toHaveTextContent('The shop is being updated');
  expect(screen.queryByText(GENERAL)).toBeNull();
});

test.each([
  ['a call without a response', new CallError(undefined, 'Network error', {})],
  ['a refusal without a message', new CallError(5003, '', {})],
  ['anything else', new Error('chunk')],
  ['no error', undefined],
])('%s has the general text', (_, error) => {
  renderScreen(<ErrorState error={error} onRetry={() => {}} />);
  expect(screen.getByText(GENERAL)).toBeVisible();
});

test('offline it says that it recovers by itself, whatever the error was', () => {
  renderScreen(<ErrorState error={new CallError(5003, 'The shop is being updated', {})} onRetry={() => {}} />);
  act(() => useConnection.setState({ lost: 'offline' }));
  expect(screen.getByRole('alert')).toHaveTextContent('You are offline');
  expect(screen.getByRole('alert')).toHaveTextContent('loads by itself');
});
