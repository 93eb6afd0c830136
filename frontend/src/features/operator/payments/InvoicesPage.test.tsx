// Documents of all customers, and the month for the accountant.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { document, page } from './fixtures';
import { InvoicesPage } from './InvoicesPage';

const LIST = 'Operator/GetInvoiceList';
const EXPORT = 'Operator/ExportInvoices';
const last = (sent: Sent[], call = LIST) => sent.findLast((one) => one.call === call)?.body;

beforeEach(() => {
  onPhone();
  signInAs('operator');
});
afterEach(() => {
  vi.useRealTimers();
});

const opensExport = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Export month' }));
  return within(await screen.findByRole('dialog'));
};

test('without documents the screen says when there will be some', async () => {
  answerWith({ [LIST]: page([]) });
  renderScreen(<InvoicesPage />);
  expect(await screen.findByText('No invoices yet')).toBeVisible();
});

test('a document leads to its order and customer, and is saved as PDF', async () => {
  const note = document({ InvoiceNumber: 'CN-2026-000001', Kind: 'credit_note', Total: '5.00' });
  const sent = answerWith({
    [LIST]: page([document(), note]),
    'Billing/GetInvoicePdf': { file: 'INV-2026-000007.pdf', text: '%PDF-' },
  });
  renderScreen(<InvoicesPage />);
  const rows = await screen.findAllByRole('listitem');
  const [invoice, creditNote] = rows.map((row) => within(row));
  expect(invoice?.getByRole('link', { name: 'PO23456789AB' })).toHaveAttribute(
    'href',
    '/operator/orders?OrderNumber=PO23456789AB',
  );
  expect(invoice?.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  expect(rows[0]).toHaveTextContent('$12.00');
  expect(rows[0]).not.toHaveTextContent('−');
  expect(rows[1]).toHaveTextContent('−$5.00');
  expect(creditNote?.getByText('Credit note')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Save INV-2026-000007 as PDF' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('INV-2026-000007.pdf'));
  expect(last(sent, 'Billing/GetInvoicePdf')).toEqual({ InvoiceNumber: 'INV-2026-000007', Language: 'en' });
});

test('filters are in the address', async () => {
  const sent = answerWith({ [LIST]: page([document()]) });
  const { addressNow } = renderScreen(<InvoicesPage />);
  await screen.findByRole('link', { name: 'PO23456789AB' });
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Credit note');
  await userEvent.type(screen.getByRole('searchbox'), 'INV-2026');
  await waitFor(() => expect(last(sent)).toMatchObject({ Search: 'INV-2026', Filter: { Kind: 'credit_note' } }));
  expect(addressNow()).toBe('/?Kind=credit_note&Search=INV-2026');
});

test('a month is saved as one file: last month, unless another one is chosen', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T05:00:00Z'), toFake: ['Date'] });
  const sent = answerWith({ [LIST]: page([]), [EXPORT]: { file: 'month.zip', text: 'PK' } });
  renderScreen(<InvoicesPage />);
  let dialog = await opensExport();
  expect(dialog.getAllByRole('option')).toHaveLength(13);
  expect(dialog.getByLabelText('Month')).toHaveDisplayValue('October 2026');
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('accounting-2026-10.zip'));
  expect(showToast).toHaveBeenCalledWith('October 2026 exported', 'success');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  dialog = await opensExport();
  await userEvent.selectOptions(dialog.getByLabelText('Month'), 'November 2025');
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[1]?.[0].name).toBe('accounting-2025-11.zip'));
  const days = sent.filter((one) => one.call === EXPORT).map(({ body }) => [body.StartTime, body.EndTime]);
  expect(days).toHaveLength(2);
  for (const [from, to] of days) {
    expect(Date.parse(`${to}Z`) - Date.parse(`${from}Z`)).toBeGreaterThan(29 * 86_400_000);
    expect(Date.parse(`${to}Z`) - Date.parse(`${from}Z`)).toBeLessThan(32 * 86_400_000);
  }
});

test('the dialog says that the file is being prepared, and why there is none', async () => {
  let answer = (_: object) => {};
  answerWith({
    [LIST]: page([]),
    [EXPORT]: () => new Promise((resolve) => (answer = resolve as typeof answer)),
  });
  renderScreen(<InvoicesPage />);
  const dialog = await opensExport();
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }));
  expect(await dialog.findByText(/Preparing the file/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Export' })).toBeDisabled();
  expect(dialog.getByLabelText('Month')).toBeDisabled();
  answer({ Code: 4290, Message: 'Too many attempts' });
  expect(await dialog.findByRole('alert')).toHaveTextContent('Too many attempts');
  expect(dialog.queryByText(/Preparing the file/)).toBeNull();
  expect(saveFile).not.toHaveBeenCalled();
});

test.each([
  ['accountant', 1],
  ['support', 0],
] as const)('%s reads documents; only accountants save a month', async (role, count) => {
  signInAs(role);
  answerWith({ 'Operator/GetInvoiceList': page([document()]) });
  renderScreen(<InvoicesPage />);
  expect(await screen.findByText('INV-2026-000007')).toBeVisible();
  expect(screen.queryAllByRole('button', { name: 'Export month' })).toHaveLength(count);
});
