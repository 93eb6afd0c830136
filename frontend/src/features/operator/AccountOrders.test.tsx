// The orders of all customers, and of one.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { AccountOrders } from './AccountOrders';

test('the orders of one account are shown until its filter is removed', async () => {
  onPhone();
  const Order = {
    OrderId: 1,
    OrderNumber: 'PO1',
    Kind: 'purchase',
    State: 'fulfilled',
    Total: '5.00',
    Currency: 'USD',
  };
  const Rows = [
    { AccountId: 7, Email: 'ann@example.com', Order: { ...Order, Payments: [], CreatedAt: '2026-02-01 09:00:00' } },
  ];
  const sent = answerWith({ 'Operator/GetOrderList': { Data: { Rows, Total: 1, Page: 1, PageSize: 50 } } });
  const { addressNow } = renderScreen(<AccountOrders />, '/?AccountId=7');
  const link = await screen.findByRole('link', { name: 'ann@example.com' });
  expect(link).toHaveAttribute('href', '/operator/accounts/7');
  await userEvent.click(screen.getByRole('button', { name: 'Account 7' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body }) => body.Filter)).toEqual([{ AccountId: 7 }, {}]);
  expect(addressNow()).toBe('/');
});
