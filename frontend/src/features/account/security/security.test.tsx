// Two-factor authentication and sessions.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { SessionsSection } from './SessionsSection';
import { TwoFactorSection } from './TwoFactorSection';

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

test('few remaining recovery codes show a warning', async () => {
  answerWith({
    'User/GetTwoFactor': { Data: { IsOn: true, TurnedOnAt: '2026-11-01 10:00:00', RecoveryCodesLeft: 1 } },
  });
  renderScreen(<TwoFactorSection />);
  expect(await screen.findByText('1 recovery code is left. Generate new ones before you run out.')).toBeInTheDocument();
});

test('only other sessions can be ended, and unknown devices are labelled as such', async () => {
  const session = {
    Address: '192.0.2.7',
    Place: 'Berlin, Germany',
    CreatedAt: '2026-11-01 10:00:00',
    LastUsedAt: '2026-11-02 10:00:00',
    ExpiresAt: '2026-12-01 10:00:00',
  };
  const sent = answerWith({
    'User/GetSessionList': {
      Data: {
        Sessions: [
          { ...session, SessionId: 1, Device: 'Chrome on Windows', IsCurrent: true },
          { ...session, SessionId: 2, Device: '', IsCurrent: false },
        ],
      },
    },
    'User/RevokeSession': { Data: { Revoked: 1 } },
  });
  renderScreen(<SessionsSection />);
  expect(await screen.findByText('Chrome on Windows')).toBeInTheDocument();
  expect(screen.getAllByText('Berlin, Germany')).toHaveLength(2);
  const ends = screen.getAllByRole('button', { name: /^End the session/ });
  expect(ends.map((button) => button.getAttribute('aria-label'))).toEqual(['End the session: Unknown device']);
  await userEvent.click(ends[0] as HTMLElement);
  await waitFor(() => expect(sent.some((one) => one.call === 'User/RevokeSession')).toBe(true));
  expect(sent.find((one) => one.call === 'User/RevokeSession')?.body).toEqual({ SessionId: 2 });
});

test('a failed load shows an error in its section', async () => {
  answerWith({ 'User/GetSessionList': 'network' });
  renderScreen(<SessionsSection />);
  expect(await screen.findByText('This could not be loaded', {}, { timeout: 5_000 })).toBeInTheDocument();
});
