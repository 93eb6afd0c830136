// Imports of nodes: wrong cells, a corrected file, and refusals.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { answerUploads, imported, REGULAR, replies } from './fixtures';
import { InventoryPage } from './InventoryPage';

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

async function opensImport() {
  const sent = answerWith(replies());
  renderScreen(<InventoryPage />, '/operator/inventory');
  await screen.findByText('No static proxies yet');
  await userEvent.click(screen.getAllByRole('button', { name: 'Import' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  const chooses = (name: string) => userEvent.upload(dialog.getByLabelText('CSV file'), new File(['ip\n'], name));
  return { sent, dialog, chooses };
}

const WRONG = imported({
  WrongCells: 300,
  Wrong: [
    { Line: 3, Column: 'city', Rule: 'unknownCitySimilar', Params: { Value: 'Chicgo', Similar: 'chicago' } },
    { Line: 4, Column: 'line', Rule: 'notUtf8', Params: {} },
  ],
});

test('wrong cells are listed with line and column, and the corrected file is imported', async () => {
  const Data = imported({ IsImported: true });
  const calls = answerUploads({ Data: WRONG }, { Data: imported() }, { Data });
  const { sent, dialog, chooses } = await opensImport();
  expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
  await chooses('wrong.csv');
  expect(await dialog.findByText('300 cells are wrong.')).toBeVisible();
  const rows = within(dialog.getByRole('table')).getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['3', 'city', expect.stringContaining('Chicgo')],
    ['4', 'Whole line', 'This line is not UTF-8'],
  ]);
  expect(dialog.getByText('The first 2 of 300 are shown.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
  expect(dialog.getByRole('button', { name: 'Choose another file' })).toBeEnabled();

  await chooses('right.csv');
  expect(await dialog.findByText('2 static proxies can be imported.')).toBeVisible();
  expect(dialog.getByText('right.csv')).toBeVisible();
  expect(dialog.queryByText('300 cells are wrong.')).toBeNull();
  const shelf = within(dialog.getByRole('table')).getAllByRole('cell');
  expect(shelf.map((cell) => cell.textContent)).toEqual(['Regular', 'New York, United States', '2']);
  const listed = sent.filter(({ call }) => call === 'Operator/GetInventory').length;
  await userEvent.click(dialog.getByRole('button', { name: 'Import 2 static proxies' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual(['Operator/PreviewImport', 'Operator/PreviewImport', 'Operator/ImportNodes']);
  expect(showToast).toHaveBeenCalledWith('2 static proxies were imported.', 'success');
  await waitFor(() =>
    expect(sent.filter(({ call }) => call === 'Operator/GetInventory').length).toBeGreaterThan(listed),
  );
});

test('a file that became wrong meanwhile is not imported', async () => {
  const Wrong = [{ Line: 2, Column: 'ip', Rule: 'ipPresent' as const, Params: {} }];
  answerUploads({ Data: imported() }, { Data: imported({ Nodes: 1, WrongCells: 1, Wrong }) });
  const { dialog, chooses } = await opensImport();
  await chooses('nodes.csv');
  await userEvent.click(await dialog.findByRole('button', { name: 'Import 2 static proxies' }));
  expect(await dialog.findByText('This IP is in the inventory already')).toBeVisible();
  expect(showToast).not.toHaveBeenCalled();
  expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
});

test('many cities are counted after the first', async () => {
  const [first] = imported().Shelves;
  const Shelves = Array.from({ length: 13 }, (_, index) => ({ ...first, City: `city-${index}` }) as never);
  answerUploads({ Data: imported({ Nodes: 26, Shelves }) });
  const { dialog, chooses } = await opensImport();
  await chooses('nodes.csv');
  expect(await dialog.findByText('and 3 more cities')).toBeVisible();
  expect(within(dialog.getByRole('table')).getAllByRole('row')).toHaveLength(11);
});

test('a dropped file without lines, and one that the server refuses', async () => {
  answerUploads({ Data: imported({ Nodes: 0, Shelves: [] }) }, { Code: 4130, Message: 'The file is too large' });
  const { dialog, chooses } = await opensImport();
  fireEvent.drop(dialog.getByText(/drop it here/), { dataTransfer: { files: [new File([''], 'empty.csv')] } });
  expect(await dialog.findByText(/The file has no static proxies/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
  await chooses('large.csv');
  expect(await dialog.findByRole('alert')).toHaveTextContent('The file is too large');
  expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
});

test('the example has all columns and a plan of the shop', async () => {
  const { dialog } = await opensImport();
  expect(dialog.getAllByRole('row')).toHaveLength(13);
  await userEvent.click(dialog.getByRole('button', { name: 'Download an example' }));
  const [file] = vi.mocked(saveFile).mock.lastCall ?? [];
  const [header, line] = ((await file?.text()) ?? '').split('\r\n').map((text) => text.split(','));
  expect(header?.join()).toBe('ip,http_port,socks5_port,country,city,isp,asn,ver_str,targets,supplier,cost,server');
  expect(line).toHaveLength(12);
  expect(line?.[7]).toBe(REGULAR);
});
