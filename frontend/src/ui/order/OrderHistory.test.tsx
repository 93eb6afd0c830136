// The timeline of an order.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Schemas } from '@/api/client';
import { renderScreen } from '@/test/render';
import { Timeline } from './OrderHistory';

const ORDER = {
  Timeline: [{ Event: 'paid', At: '2026-01-01 10:00:00' }],
  Currency: 'USD',
} as unknown as Schemas['OrderView'];

test.each([
  ['2020-01-31 10:00:00', 'Expired'],
  ['2999-01-31 10:00:00', 'Expires'],
])('bought until %s: %s', (end, said) => {
  renderScreen(<Timeline order={ORDER} end={end} />);
  expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent(said + end);
});
