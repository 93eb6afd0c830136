// The transactions, and the invoices in their second view.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { TransactionsPage } from './TransactionsPage';

const page = (Rows: unknown[]) => ({
  Data: { Rows, Total: Rows.length, TotalIsAtLeast: false, Page: 1, PageSize: 50, SortableFields: ['IssuedAt'] },
});
const INVOICE = {
  InvoiceNumber: 'INV-2026-000007',
  Kind: 'invoice',
  OrderId: 3,
  OrderNumber: 'PO123',
  Currency: 'USD',
  Total: '25.00',
  IssuedAt: '2026-11-20 10:00:00',
  Corrects: null,
};

test('invoices are in one place, with their kind and date as filters', async () => {
  const sent = answerWith({ 'Wallet/GetTransactionList': page([]), 'Billing/GetInvoiceList': page([INVOICE]) });
  onPhone();
  const { addressNow } = renderScreen(<TransactionsPage />);
  await userEvent.click(screen.getByRole('radio', { name: 'Invoices' }));
  expect(addressNow()).toBe('/?view=invoices');
  expect(await screen.findByRole('button', { name: 'Save INV-2026-000007 as PDF' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'PO123' })).toHaveAttribute('href', '/order?OrderId=3');
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Credit note');
  await waitFor(() =>
    expect(sent.filter((one) => one.call === 'Billing/GetInvoiceList').at(-1)?.body.Filter).toEqual({
      Kind: 'credit_note',
    }),
  );
});

test('the reason of a change by the shop stands beside it', async () => {
  const row = { TransactionId: 1, Kind: 'debit', Amount: '-5.00', BalanceAfter: '1.00', Currency: 'USD' };
  const Rows = [{ ...row, CreatedAt: '2026-11-20 10:00:00', Reason: 'entered twice' }];
  answerWith({ 'Wallet/GetTransactionList': page(Rows) });
  onPhone();
  renderScreen(<TransactionsPage />);
  expect(await screen.findByText('entered twice')).toBeVisible();
  expect(screen.getByText('Debit', { selector: 'strong' })).toBeVisible();
});

test('what has no invoice has a receipt, which is saved as PDF', async () => {
  const row = {
    TransactionId: 42,
    Kind: 'top_up',
    Amount: '50.00',
    BalanceAfter: '50.00',
    Currency: 'USD',
    Reason: '',
  };
  const Rows = [
    { ...row, CreatedAt: '2026-11-20 10:00:00', OrderId: 3, OrderNumber: 'PO123', ReceiptNumber: 'RC-000042' },
    { ...row, TransactionId: 43, CreatedAt: '2026-11-20 11:00:00', Kind: 'credit', ReceiptNumber: 'RC-000043' },
    { ...row, TransactionId: 44, CreatedAt: '2026-11-20 12:00:00', Kind: 'refund', InvoiceNumber: 'CN-2026-000001' },
  ];
  const sent = answerWith({
    'Wallet/GetTransactionList': page(Rows),
    'Billing/GetReceiptPdf': { file: 'RC-000042.pdf', text: '%PDF-' },
  });
  onPhone();
  renderScreen(<TransactionsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Save RC-000042 as PDF' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('RC-000042.pdf'));
  expect(sent.at(-1)).toMatchObject({
    call: 'Billing/GetReceiptPdf',
    body: { TransactionId: 42, Language: 'en' },
  });
  // A credit has no order.
  expect(screen.getByRole('button', { name: 'Save RC-000043 as PDF' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save CN-2026-000001 as PDF' })).toBeVisible();
  expect(screen.queryByText('–')).toBeNull();
});

test('the documents of a month are one file; a month without any says so', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T05:00:00Z'), toFake: ['Date'] });
  const Message = 'No invoices were issued in this time';
  answerWith({
    'Billing/GetInvoiceList': page([INVOICE]),
    'Billing/ExportInvoices': ({ body }) =>
      String(body.StartTime).startsWith('2026')
        ? { file: 'invoices.zip', text: 'PK' }
        : { Code: 3333, Message, Data: { Key: 'noInvoices' } },
  });
  renderScreen(<TransactionsPage />, '/?view=invoices');
  await userEvent.click(screen.getByRole('button', { name: 'Download a month' }));
  expect(screen.getAllByRole('menuitem')).toHaveLength(12);
  await userEvent.click(screen.getByRole('menuitem', { name: 'December 2025' }));
  await waitFor(() => expect(showToast).toHaveBeenCalledWith(Message, 'info'));
  expect(saveFile).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Download a month' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'October 2026' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('invoices-2026-10.zip'));
  vi.useRealTimers();
});
