// A list on a phone: whose page cannot be loaded, and of which all rows are selected.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { post } from '@/api/client';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { toastError } from '@/ui/toast';
import { DataGrid } from './DataGrid';
import { nothingSelected, type Selection } from './SelectionBar';

const CALL = 'Order/GetOrderList';
const FAILED = { Code: 5000, status: 500 };
const ROWS = { Data: { Rows: [{ OrderNumber: 'PO1' }], Total: 1 } };

const listRefetchedEvery = (ms?: number) => (
  <DataGrid<{ OrderNumber: string }>
    name="orders"
    label="Orders"
    columns={[{ field: 'OrderNumber', title: 'Order', cell: (row) => row.OrderNumber }]}
    rowId={(row) => row.OrderNumber}
    load={(page, options) => post(CALL, { ...page, Search: '', Filter: {} }, options)}
    {...(ms && { refetchInterval: ms })}
    card={(row) => row.OrderNumber}
    empty={null}
  />
);

beforeEach(onPhone);

test('a list that cannot be loaded shows its error once, in its place, and loads again', async () => {
  let answer: typeof FAILED | typeof ROWS = FAILED;
  answerWith({ [CALL]: () => answer });
  renderScreen(listRefetchedEvery());
  expect(await screen.findByRole('alert')).toHaveTextContent(i18next.t('loadFailed'));
  expect(toastError).not.toHaveBeenCalled();
  answer = ROWS;
  fireEvent.click(screen.getByRole('button', { name: i18next.t('retry') }));
  expect(await screen.findByText('PO1')).toBeVisible();
});

test('a list that is shown keeps its rows when it cannot be refetched, and a toast tells', async () => {
  let answer: typeof FAILED | typeof ROWS = ROWS;
  answerWith({ [CALL]: () => answer });
  renderScreen(listRefetchedEvery(20));
  expect(await screen.findByText('PO1')).toBeVisible();
  answer = FAILED;
  await waitFor(() => expect(toastError).toHaveBeenCalledWith(i18next.t('errors:requestFailed')));
  expect(screen.getByText('PO1')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

interface Order {
  OrderNumber: string;
}

function SelectableList() {
  const [value, setValue] = useState<Selection<Order>>(nothingSelected);
  return (
    <DataGrid<Order>
      name="orders"
      label="Orders"
      columns={[{ field: 'OrderNumber', title: 'Order', cell: (row) => row.OrderNumber }]}
      rowId={(row) => row.OrderNumber}
      load={(page, options) => post(CALL, { ...page, Search: '', Filter: {} }, options)}
      selection={{ value, onChange: setValue, nameOf: (row) => row.OrderNumber, withAll: true }}
      card={(row) => row.OrderNumber}
      empty={null}
    />
  );
}

test('with one card selected, all matching rows can be', async () => {
  answerWith({ [CALL]: { Data: { Rows: [{ OrderNumber: 'PO1' }, { OrderNumber: 'PO2' }], Total: 40 } } });
  renderScreen(<SelectableList />);
  await screen.findByText('PO1');
  await userEvent.click(screen.getByRole('checkbox', { name: i18next.t('selectRow', { Name: 'PO1' }) }));
  const all = screen.getByRole('button', { name: i18next.t('selectAll', { count: 40 }) });
  await userEvent.click(all);
  expect(screen.getByRole('status')).toHaveTextContent(i18next.t('selected', { count: 40 }));
  expect(all).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: i18next.t('selectNone') }));
  expect(screen.queryByRole('toolbar')).toBeNull();
});
