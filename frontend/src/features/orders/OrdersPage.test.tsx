// The list of orders: its filters, and the file with the same filters.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { saveFile } from '@/ui/saveFile';
import { OrdersPage } from './OrdersPage';

const NOTHING = {
  Data: { Rows: [], Total: 0, TotalIsAtLeast: false, Page: 1, PageSize: 50, SortableFields: ['CreatedAt'] },
};

test('orders are filtered by status, type and date, and the file has the same filters', async () => {
  onPhone();
  const sent = answerWith({ 'Order/GetOrderList': NOTHING, 'Order/ExportOrders': { file: 'orders.csv', text: 'x' } });
  const { addressNow } = renderScreen(<OrdersPage />, '/order?From=2026-10-01&To=2026-10-31');
  await userEvent.selectOptions(await screen.findByLabelText('Status'), 'Completed');
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Renewal');
  expect(addressNow()).toBe('/order?From=2026-10-01&To=2026-10-31&State=fulfilled&Kind=renewal');
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  const asked = { Filter: { State: 'fulfilled', Kind: 'renewal' } };
  const bodyOf = (call: string) => sent.filter((one) => one.call === call).at(-1)?.body;
  expect(bodyOf('Order/ExportOrders')).toMatchObject(asked);
  await waitFor(() => expect(bodyOf('Order/GetOrderList')).toMatchObject(asked));
  expect(bodyOf('Order/ExportOrders')).toHaveProperty('StartTime');
});
