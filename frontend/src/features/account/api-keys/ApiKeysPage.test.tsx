// The API keys screen.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { ApiKeysPage } from './ApiKeysPage';

beforeEach(() => {
  useUserStore.setState({
    info: {
      UserId: 1,
      Email: 'ann@example.com',
      Level: 0,
      ResellerBasisPoints: 0,
      State: 'active',
      Language: 'en',
      TimeZone: 'UTC',
      IsView: false,
      TextsToAccept: [],
      Token: 't',
    },
  });
});

const KEY = {
  ApiKeyId: 7,
  Name: 'Deploy',
  Prefix: 'ptn_AbCd',
  Scopes: ['proxies:read', 'billing:write'],
  Addresses: ['203.0.113.0/24'],
  IsExpired: false,
  CreatedAt: '2026-11-01 10:00:00',
};

test('a key is created with the selected scopes, and its secret is shown once', async () => {
  const sent = answerWith({
    'ApiKeys/GetApiKeyList': { Data: [] },
    'ApiKeys/AddApiKey': { Data: { ApiKey: KEY, Secret: 'ptn_secret' } },
  });
  renderScreen(<ApiKeysPage />);
  const [add] = await screen.findAllByRole('button', { name: 'Create key' });
  await waitFor(() => expect(add).toBeEnabled());
  await userEvent.click(add as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create key' }));
  expect(within(dialog).getAllByText('This is required')).toHaveLength(2);
  within(dialog).getByLabelText('Name').focus();
  await userEvent.paste('Deploy');
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Static proxies: Read' }));
  expect(within(dialog).queryByText('Operator')).toBeNull();
  within(dialog).getByLabelText('Allowed addresses').focus();
  await userEvent.paste('203.0.113.0/24, nowhere');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create key' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent(/^nowhere: Enter an IP address/);
  await userEvent.clear(within(dialog).getByLabelText('Allowed addresses'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create key' }));
  expect(await screen.findByText('ptn_secret')).toBeInTheDocument();
  expect(sent.find((one) => one.call === 'ApiKeys/AddApiKey')?.body).toEqual({
    Name: 'Deploy',
    Scopes: ['proxies:read'],
    Addresses: [],
  });
});

test('an expired key is marked, and edited without changing its values', async () => {
  const sent = answerWith({
    'ApiKeys/GetApiKeyList': { Data: [{ ...KEY, IsExpired: true, ExpiresAt: '2026-11-02 10:00:00' }] },
    'ApiKeys/EditApiKey': { Data: KEY },
  });
  renderScreen(<ApiKeysPage />);
  expect(await screen.findByText('Expired')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Edit the key “Deploy”' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Choose a time in the future')).toBeInTheDocument();
  await userEvent.selectOptions(within(dialog).getByLabelText('Expires'), 'never');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find((one) => one.call === 'ApiKeys/EditApiKey')?.body).toMatchObject({
    ApiKeyId: 7,
    Scopes: KEY.Scopes,
    Addresses: KEY.Addresses,
  });
});
