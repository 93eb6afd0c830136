// Recording the outcome of a refund that is sent by hand: it was sent, it was not, and what the server refuses.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PaymentReturn } from '@/api/operatorPayments';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { refundByHand } from './fixtures';
import { SettleRefund } from './SettleRefund';

const CALL = 'Operator/SettleRefund';
const bodies = (sent: Sent[]) => sent.filter(({ call }) => call === CALL).map(({ body }) => body);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const choose = (name: RegExp) => userEvent.click(screen.getByRole('radio', { name }));

beforeEach(() => signInAs('operator'));

function opens(reply: Parameters<typeof answerWith>[0][string] = { Data: null }, change: object = {}) {
  const sent = answerWith({ [CALL]: reply });
  const onClose = vi.fn();
  renderScreen(<SettleRefund of={refundByHand(change) as PaymentReturn} onClose={onClose} />);
  return { sent, onClose };
}

test('what the server refuses is shown at the field, which keeps what was typed', async () => {
  const Fields = { Reference: [{ Rule: 'maxLength', Params: { Max: 100 } }] };
  const { onClose } = opens({ Code: 2001, Message: 'Invalid', Data: { Fields } });
  const reference = screen.getByLabelText('Reference');
  await userEvent.click(reference);
  await userEvent.paste('x'.repeat(101));
  await press('Record as sent');
  await waitFor(() => expect(reference).toHaveAccessibleDescription(/100/));
  expect(reference).toHaveFocus();
  expect(reference).toHaveValue('x'.repeat(101));
  expect(onClose).not.toHaveBeenCalled();
});

test('a refund that is over meanwhile says so, and nothing is closed', async () => {
  const { onClose } = opens({ Code: 3333, Message: 'This refund is over', Data: { Key: 'refundOver' } });
  await press('Record as sent');
  expect(await screen.findByRole('alert')).toHaveTextContent('This refund is over');
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['en', '$20.00 recorded as sent'],
  ['zh', '已登记 $20.00 为已退回'],
] as const)('%s: it was sent, under a reference', async (language, done) => {
  await i18next.changeLanguage(language);
  const t = (key: 'reference' | 'note' | 'submitSent') => i18next.t(`payments:returns.settle.${key}`);
  const { sent, onClose } = opens();
  expect(screen.getByText('¥142.50')).toBeVisible();
  expect(screen.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  expect(screen.getByRole('radio', { checked: true })).toHaveFocus();
  await userEvent.type(screen.getByLabelText(t('reference')), 'TR-42');
  await userEvent.type(screen.getByLabelText(t('note')), 'by hand');
  await press(t('submitSent'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies(sent)).toEqual([{ ReturnId: 5, HasArrived: true, Reference: 'TR-42', Note: 'by hand' }]);
  expect(showToast).toHaveBeenCalledWith(done, 'success');
});

test.each([
  ['en', '$20.00 is back in the wallet of ann@example.com'],
  ['zh', '$20.00 已退回 ann@example.com 的钱包'],
] as const)('%s: it was not sent, so that there is no reference', async (language, done) => {
  await i18next.changeLanguage(language);
  const t = (key: 'reference' | 'notSent' | 'submitNotSent') => i18next.t(`payments:returns.settle.${key}`);
  const { sent, onClose } = opens();
  await userEvent.type(screen.getByLabelText(t('reference')), 'TR-42');
  await choose(new RegExp(`^${t('notSent')}`));
  expect(screen.queryByLabelText(t('reference'))).toBeNull();
  await press(t('submitNotSent'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies(sent)).toEqual([{ ReturnId: 5, HasArrived: false }]);
  expect(showToast).toHaveBeenCalledWith(done, 'success');
});

test('why the shop could not send it is said', () => {
  opens(undefined, { Trouble: 'the gateway is not set up' });
  expect(screen.getByText('the gateway is not set up')).toBeVisible();
});

test('an outcome that was begun is not lost with a key', async () => {
  const { onClose } = opens();
  await userEvent.type(screen.getByLabelText('Reference'), 'TR-42');
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await press(i18next.t('common:leaving.discard'));
  expect(onClose).toHaveBeenCalled();
});
