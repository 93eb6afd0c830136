// The prices screen in tests: opened with a list of prices, and used as an operator does.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { priceList } from './fixtures';
import { PricesPage } from './PricesPage';

type Replies = Parameters<typeof answerWith>[0];

export function opens(list: object = priceList(), more: Replies = {}, at = '/') {
  const sent = answerWith({
    'Operator/GetPrices': { Data: list },
    'Operator/ChangePrice': { Data: list },
    ...more,
  });
  return { sent, ...renderScreen(<PricesPage />, at) };
}

/** The changes of prices that were sent. The API client sends no empty fields. */
export const changes = (sent: Sent[]) => sent.filter((one) => one.call === 'Operator/ChangePrice');

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** The dialog that a button opens. */
export const opened = async (name: string) => {
  await press(name);
  return within(await screen.findByRole('dialog'));
};

export const submits = (dialog: Awaited<ReturnType<typeof opened>>, name: string) =>
  userEvent.click(dialog.getByRole('button', { name }));

/** The cells of a row of a table. */
export const cellsOf = (table: string, row: RegExp) =>
  within(within(screen.getByRole('table', { name: table })).getByRole('row', { name: row }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
