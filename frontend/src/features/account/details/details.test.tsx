// Avatar, the order of the names, and account closing.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { updateAccountDetails } from '@/api/account';
import { useCall } from '@/api/useCall';
import { DETAILS } from '@/gallery/examples';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { DetailsForm } from '@/ui/account/DetailsForm';
import { AvatarSection } from './AvatarSection';
import { CloseSection } from './CloseSection';
import { CodesSection } from './CodesSection';

const Details = () => (
  <DetailsForm id="details" details={DETAILS} call={useCall(updateAccountDetails)} onSaved={() => {}} />
);

afterEach(() => i18next.changeLanguage('en'));
beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => {} }));
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

test('a file that is not a picture is refused before anything is sent', async () => {
  const sent = answerWith({});
  renderScreen(<AvatarSection />);
  const input = screen.getByLabelText('Picture file');
  await userEvent.upload(input, new File(['#!/bin/sh'], 'logo.png', { type: 'image/png' }));
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Save picture' })).toBeNull();
  const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], 'logo.png', {
    type: 'image/png',
  });
  await userEvent.upload(input, png);
  expect(await screen.findByRole('img', { name: 'Preview of logo.png' })).toBeInTheDocument();
  expect(sent).toEqual([]);
});

test.each([
  ['en', ['First name', 'Last name']],
  ['zh', ['姓', '名']],
])('in %s the form asks for %s, in this order', async (language, names) => {
  await i18next.changeLanguage(language);
  renderScreen(<Details />);
  const first = screen.getByRole('textbox', { name: names[0] });
  const second = screen.getByRole('textbox', { name: names[1] });
  expect(first.compareDocumentPosition(second)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the access token is fetched when it is revealed, and rotated and revoked unseen', async () => {
  let hasToken = true;
  const center = () => ({
    Data: { UserId: 1, ShowInvitationCode: false, ShowAccessToken: true, HasAccessToken: hasToken },
  });
  let isRefused = true;
  const sent = answerWith({
    'User/GetCenter': center,
    'User/RevealAccessToken': () =>
      isRefused
        ? { Code: 3333, Message: 'A code', Data: { Key: 'twoFactorConfirm' } }
        : { Data: { AccessToken: 'ptn_1' } },
    'User/RotateAccessToken': () => {
      hasToken = true;
      return { Data: { AccessToken: 'ptn_2' } };
    },
    'User/RevokeAccessToken': () => {
      hasToken = false;
      return { Data: { Revoked: true } };
    },
  });
  renderScreen(<CodesSection />);
  const show = await screen.findByRole('button', { name: 'Show the access token' });
  expect(sent.map((one) => one.call)).toEqual(['User/GetCenter']);
  expect(screen.queryByRole('button', { name: 'Copy the access token' })).toBeNull();
  await userEvent.click(show);
  expect(screen.queryByText(/^ptn_/)).toBeNull();
  isRefused = false;
  await userEvent.click(screen.getByRole('button', { name: 'Show the access token' }));
  expect(await screen.findByText('ptn_1')).toBeInTheDocument();

  for (const change of ['Rotate token', 'Revoke token']) {
    await userEvent.click(screen.getByRole('button', { name: change }));
    const question = await screen.findByRole('dialog');
    await userEvent.click(within(question).getByRole('button', { name: change }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText(/^ptn_/)).toBeNull();
  }
  await userEvent.click(await screen.findByRole('button', { name: 'Create token' }));
  expect(await screen.findByRole('button', { name: 'Show the access token' })).toBeInTheDocument();
  const changes = sent.map((one) => one.call).filter((call) => /Rotate|Revoke/.test(call));
  expect(changes).toEqual(['User/RotateAccessToken', 'User/RevokeAccessToken', 'User/RotateAccessToken']);
});

test('closing lists what is lost, and requires consent, the password and a code if the server asks for one', async () => {
  const sent = answerWith({
    'User/GetWallet': { Data: walletOf('12.50') },
    'User/GetTwoFactor': { Data: { IsOn: false, RecoveryCodesLeft: 0 } },
    'Ips/userGetUserVerPlan': { Data: [{ IpsCount: 3 }] },
    'Traffic/GetTraffic': { Data: { LeftBytes: 2_500_000_000, Batches: [] } },
    'User/CloseAccount': ({ body }) =>
      body.Code ? { Data: { Closed: true } } : { Code: 3333, Message: 'A code', Data: { Key: 'twoFactorNeeded' } },
  });
  renderScreen(<CloseSection />);
  await userEvent.click(screen.getByRole('button', { name: 'Close account' }));
  const losses = await screen.findByRole('list', { name: 'What you lose' });
  for (const loss of ['$12.50 in your wallet', '3 static IPs, which stop working at once', /^2\.5 GB/]) {
    expect(await within(losses).findByText(loss)).toBeInTheDocument();
  }
  const submit = screen.getByRole('button', { name: 'Close permanently' });
  expect(submit).toBeDisabled();
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.type(screen.getByLabelText('Current password'), 'correct horse');
  await userEvent.click(submit);
  await userEvent.type(await screen.findByLabelText('Code from your authenticator app'), '123456');
  await userEvent.click(submit);
  await waitFor(() => expect(useUserStore.getState().info).toBeNull());
  expect(sent.filter((one) => one.call === 'User/CloseAccount').at(-1)?.body).toEqual({
    Password: 'correct horse',
    GiveUpBalance: true,
    Code: '123456',
  });
});
