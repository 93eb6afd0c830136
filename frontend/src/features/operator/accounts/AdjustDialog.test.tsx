// Adding money to a customer's wallet, and taking it.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Schemas } from '@/api/client';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { AdjustDialog } from './AdjustDialog';
import { account, detail } from './fixtures';

beforeEach(() => signInAs('operator'));

const sentTo = (sent: Sent[]) => sent.filter((one) => one.call === 'Operator/AdjustWallet');
const amount = () => screen.getByLabelText('Amount in USD');
const after = () => screen.getByText('Balance afterwards').nextElementSibling?.textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function opens(reply: Parameters<typeof answerWith>[0][string] = { Data: detail() }) {
  const sent = answerWith({ 'Operator/AdjustWallet': reply });
  const onClose = vi.fn();
  renderScreen(<AdjustDialog account={account() as Schemas['Account']} onClose={onClose} />);
  return { sent, onClose };
}

test('nothing is sent without an amount and a reason', async () => {
  const { sent } = opens();
  expect(after()).toBe('–');
  await press('Add money');
  expect(amount()).toHaveAccessibleDescription(/required/);
  expect(screen.getByLabelText('Reason')).toHaveAccessibleDescription(/required/);
  await userEvent.type(amount(), '0');
  expect(after()).toBe('–');
  await press('Add money');
  expect(sentTo(sent)).toEqual([]);
});

test('the balance afterwards and the button follow the amount and the kind', async () => {
  opens();
  await userEvent.type(amount(), '5.5');
  expect(after()).toBe('$17.50');
  expect(screen.getByRole('button', { name: 'Add $5.50' })).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: /^Correction/ }));
  expect(after()).toBe('$6.50');
  expect(screen.getByRole('button', { name: 'Take $5.50' })).toBeVisible();
  expect(screen.getByText(/reversed by adding the amount again/)).toBeVisible();
});

test('more than the wallet has is refused at the amount', async () => {
  const Fields = { Amount: [{ Rule: 'amountMax', Params: { Max: '12.00' } }] };
  const { onClose } = opens({ Code: 2002, Message: 'Invalid', Data: { Fields } });
  await userEvent.click(screen.getByRole('radio', { name: /^Money returned/ }));
  await userEvent.type(amount(), '13');
  await userEvent.type(screen.getByLabelText('Reason'), 'paid back');
  await press('Take $13.00');
  await waitFor(() => expect(amount()).toHaveAccessibleDescription(/12\.00/));
  expect(onClose).not.toHaveBeenCalled();
});

test('what was chosen and typed is sent once, and the new balance is told', async () => {
  const { sent, onClose } = opens({ Data: detail(account({ WalletBalance: '17.00' })) });
  await userEvent.click(screen.getByRole('radio', { name: /^Goodwill/ }));
  await userEvent.type(amount(), ' 5 ');
  await userEvent.type(screen.getByLabelText('Reason'), 'slow on Tuesday');
  await press('Add $5.00');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sentTo(sent).map(({ body }) => body)).toEqual([
    { AccountId: 7, Adjustment: 'goodwill', Amount: '5', Reason: 'slow on Tuesday' },
  ]);
  expect(sentTo(sent)[0]?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  expect(showToast).toHaveBeenCalledWith('The wallet of ann@example.com now has $17.00', 'success');
});
