// The two-factor prompt: one prompt for all calls that need a code.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bindConfirmation, post } from '@/api/client';
import { ask } from '@/stores/confirmation';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { ConfirmTwoFactor } from './ConfirmTwoFactor';

beforeEach(() => bindConfirmation(ask));

const WANTED = { Code: 3333, Message: 'Confirm', Data: { Key: 'twoFactorConfirm' } };

test('a wrong code is reported in the dialog, and a correct one resumes all waiting calls', async () => {
  let isConfirmed = false;
  answerWith({
    'User/GetWallet': () => (isConfirmed ? { Data: { WalletBalance: '1.00' } } : WANTED),
    'User/GetCenter': () => (isConfirmed ? { Data: { UserId: 1 } } : WANTED),
    'User/ConfirmTwoFactor': ({ body }) => {
      isConfirmed = body.Code === '123456';
      return isConfirmed ? { Data: {} } : { Code: 3333, Message: 'Wrong code', Data: { Key: 'twoFactorWrong' } };
    },
  });
  renderScreen(<ConfirmTwoFactor />);
  const both = Promise.all([post('User/GetWallet'), post('User/GetCenter')]);
  await userEvent.type(await screen.findByLabelText('Code'), '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Wrong code')).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await both).toEqual([{ WalletBalance: '1.00' }, { UserId: 1 }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('cancelling the prompt fails the call silently', async () => {
  answerWith({ 'User/GetWallet': WANTED });
  renderScreen(<ConfirmTwoFactor />);
  const call = post('User/GetWallet').catch((error) => error);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(await call).toMatchObject({ isIgnored: true });
});
