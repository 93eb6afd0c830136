// What the layout shows of the seller's announcements and texts, and to whom.
import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { LegalTextRef } from '@/api/legal';
import { OPERATOR } from '@/core/constants.gen';
import { useConfirmation } from '@/stores/confirmation';
import { type UserInfo, useUserStore } from '@/stores/user';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { Layout } from './Layout';

const TERMS: LegalTextRef = { LegalTextId: 4, Kind: 'terms', Version: 3, PublishedAt: '2026-11-28 10:00:00' };
const INFO: UserInfo = {
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
};
const ANNOUNCEMENT = {
  AnnouncementId: 1,
  Tone: 'info',
  TextEn: 'Ten percent off',
  TextZh: '',
  Link: '',
  ChangedAt: '2026-11-28 10:00:00',
};

function opens(change: Partial<UserInfo>, at = '/billing/wallet', wallet = walletOf('0.00')) {
  const info = { ...INFO, ...change };
  const { Token: _, ...user } = info;
  const sent = answerWith({
    'SystemSettings/GetAnnouncementList': { Data: [ANNOUNCEMENT] },
    'SystemSettings/GetPublicConfig': { Data: { ShopName: 'Postern', LegalTexts: [], MinTopUp: '5.00' } },
    'User/GetUserInfo': { Data: user },
    'User/GetWallet': { Data: wallet },
    'User/GetCenter': { Data: { DisplayName: '' } },
    'Order/GetOrderList': { Data: { Rows: [], Total: 0, Page: 1, PageSize: 50 } },
    'Notifications/GetUnread': { Data: { Unread: 0, HasMore: false } },
    'Operator/GetAlarmList': { Data: [] },
  });
  useUserStore.setState({ info });
  const screens = [{ path: '*', element: <p>A screen</p> }];
  const preload = () => Promise.resolve();
  const routes = [{ path: '/', element: <Layout preload={preload} />, children: screens }];
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: [at] })} />);
  return sent;
}

const question = () => screen.queryByRole('dialog', { name: 'Please read and accept' });

test.each([0, 1] as const)('customers and resellers see announcements: level %s', async (Level) => {
  opens({ Level });
  expect(await screen.findByText('Ten percent off')).toBeVisible();
  expect(screen.getByText('A screen')).toBeVisible();
});

test('operators have the list instead', async () => {
  const sent = opens({ Level: OPERATOR, Role: 'operator' });
  await waitFor(() => expect(sent.map(({ call }) => call)).toContain('Operator/GetAlarmList'));
  expect(sent.map(({ call }) => call)).not.toContain('SystemSettings/GetAnnouncementList');
});

test('a customer is asked to accept new texts, but not above the question for a code', async () => {
  opens({ TextsToAccept: [TERMS] });
  expect(await screen.findByRole('dialog', { name: 'Please read and accept' })).toBeVisible();
  act(() => useConfirmation.setState({ settle: () => {} }));
  expect(await screen.findByRole('dialog', { name: 'Verify your identity' })).toBeVisible();
  expect(question()).toBeNull();
  act(() => useConfirmation.setState({ settle: null }));
  expect(await screen.findByRole('dialog', { name: 'Please read and accept' })).toBeVisible();
});

test.each([
  ['an operator who views a customer', { IsView: true, TextsToAccept: [TERMS] }],
  ['a user of an earlier version', { TextsToAccept: undefined as never }],
])('%s is not asked', async (_, change) => {
  opens(change);
  await screen.findByText('Ten percent off');
  expect(screen.getByText('A screen')).toBeVisible();
  expect(question()).toBeNull();
});

const ORDER_FORM = '/static-residential-proxies/order';

test.each([
  [false, 'You owe $12.00. Until it is paid, nothing can be bought or renewed. Top up'],
  [true, 'You owe $12.00. Until it is paid, your proxies are paused, and nothing can be bought or renewed. Top up'],
])('who owes money is told so above the screens, with proxies paused: %s', async (AreProxiesPaused, text) => {
  opens({}, ORDER_FORM, walletOf('0.00', { Owed: '12.00', AreProxiesPaused }));
  const link = await screen.findByRole('link', { name: 'Top up' });
  expect(link).toHaveAttribute('href', '/billing/wallet?Amount=12.00');
  expect(link.parentElement).toHaveTextContent(text);
});

test.each<[string, Partial<UserInfo>, string]>([
  ['on the wallet, which says more', {}, '/billing/wallet'],
  ['to a suspended account, which cannot top up', { State: 'suspended' }, '/order'],
  ['to operators', { Level: OPERATOR, Role: 'operator' }, '/operator/orders'],
])('it is not told %s', async (_, change, at) => {
  opens(change, at, walletOf('3.50', { Owed: '12.00' }));
  expect(await screen.findByText('$3.50')).toBeVisible();
  expect(screen.getByText('A screen')).toBeVisible();
  expect(screen.queryByText(/You owe/)).toBeNull();
});
