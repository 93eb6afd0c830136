// The name shown in the header's account menu.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { Header } from './Header';

const INFO = {
  UserId: 1,
  Email: 'ann@example.com',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [] as never[],
  Token: 't',
} as const;

test.each([
  [{ DisplayName: 'Ann Trading' }, 'Ann Trading · ann@example.com'],
  [{ DisplayName: '' }, 'ann@example.com'],
])('for %o the menu shows: %s', async (center, label) => {
  answerWith({
    'User/GetCenter': { Data: center },
    'Notifications/GetUnread': { Data: { Unread: 0, HasMore: false } },
  });
  useUserStore.setState({ info: INFO });
  await useUserStore.getState().loadCenter();
  renderScreen(<Header isMobile={false} hasRules />);
  await userEvent.click(screen.getByRole('button', { name: 'Account' }));
  expect(within(await screen.findByRole('menu')).getByText(label)).toBeVisible();
});

test.each([
  ['active', ['Details', 'Security', 'Wallet', 'Proxy server status', 'Sign out']],
  ['suspended', ['Details', 'Wallet', 'Sign out']],
] as const)('the menu of an %s account has the screens that it may open', async (State, items) => {
  answerWith({ 'Notifications/GetUnread': { Data: { Unread: 0, HasMore: false } } });
  useUserStore.setState({ info: { ...INFO, State } });
  renderScreen(<Header isMobile={false} hasRules />);
  await userEvent.click(screen.getByRole('button', { name: 'Account' }));
  const shown = within(await screen.findByRole('menu')).getAllByRole('menuitem');
  expect(shown.map((item) => item.textContent).sort()).toEqual([...items].sort());
});

test("the seller's terms and privacy policy are in the menu, if there are any", async () => {
  answerWith({ 'Notifications/GetUnread': { Data: { Unread: 0, HasMore: false } } });
  useUserStore.setState({ info: INFO });
  const LegalTexts = [{ LegalTextId: 7, Kind: 'privacy', Version: 1, PublishedAt: '2026-11-27 10:00:00' }];
  useConfigStore.setState({ shop: { LegalTexts } as never });
  renderScreen(<Header isMobile={false} hasRules />);
  await userEvent.click(screen.getByRole('button', { name: 'Account' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getByRole('menuitem', { name: 'Privacy policy' })).toHaveAttribute('href', '/privacy');
  expect(menu.queryByRole('menuitem', { name: 'Terms of service' })).toBeNull();
});

test('in a view, the operator ends it instead of signing out', async () => {
  answerWith({ 'Notifications/GetUnread': { Data: { Unread: 0, HasMore: false } } });
  const view = { Email: INFO.Email, ExpiresAt: '2026-02-01 14:30:00', AccountId: 7 };
  useUserStore.setState({ info: { ...INFO, IsView: true, TextsToAccept: [] as never[] }, view });
  renderScreen(<Header isMobile={false} hasRules />);
  await userEvent.click(screen.getByRole('button', { name: 'Account' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getByRole('menuitem', { name: 'End view' })).toBeVisible();
  expect(menu.queryByRole('menuitem', { name: 'Sign out' })).toBeNull();
});
