// An operator's view of a customer: in one tab, beside the operator's own session in all others.
import { beforeEach, expect, test, vi } from 'vitest';
import { post } from '@/api/client';
import { USER_STORE_KEY } from '@/core/constants.gen';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { showToast } from '@/ui/toast';
import { useSupportStore } from './support';
import { beginView, signOut, type UserInfo, useSessionStore, useUserStore } from './user';

const OPERATOR = {
  UserId: 1,
  Token: 'own',
  Email: 'boss@example.com',
  Level: 2,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [],
} satisfies UserInfo;
const ANN = { UserId: 2, Email: 'ann@example.com', Level: 0, IsView: true, TextsToAccept: [] };
const VIEW = { Token: 'view', Email: 'ann@example.com', ExpiresAt: '2026-02-01 14:30:00' };

const replace = vi.fn();
const stored = (storage: Storage) => JSON.parse(storage.getItem(USER_STORE_KEY) ?? 'null')?.state;

/** The page loads again in this tab. */
const loads = () => useUserStore.persist.rehydrate();

async function views() {
  await beginView(VIEW, 7);
  await loads();
}

beforeEach(() => {
  replace.mockReset();
  vi.stubGlobal('location', { ...window.location, replace });
  useUserStore.setState({ info: OPERATOR });
  answerWith({
    'User/GetUserInfo': ({ headers }) => ({ Data: headers.Token === 'view' ? ANN : OPERATOR }),
    'User/Logout': {},
    'User/GetWallet': { Code: 3001, status: 401 },
    'Ips/SetAutoRenew': { Code: 3333, Message: 'this cannot be changed', Data: { Key: 'viewOnly' } },
    'Ips/EditNodeNote': { Code: 3333, Message: 'that was all', Data: { Key: 'viewChangesUsed', Max: 2 } },
  });
});

test('a view that cannot begin leaves the operator signed in', async () => {
  answerWith({ 'User/GetUserInfo': { Code: 3001, Message: 'Sign in again', status: 401 } });
  await expect(beginView(VIEW, 7)).rejects.toThrow();
  expect(useUserStore.getState().info).toEqual(OPERATOR);
  expect(replace).not.toHaveBeenCalled();
});

test('it loads the page as the customer in this tab, and leaves the others to the operator', async () => {
  useSessionStore.setState({ wallet: walletOf('5.00') });
  useSupportStore.setState({ unread: 3 });
  await beginView(VIEW, 7);
  expect(replace).toHaveBeenCalledWith('/welcome/products');
  expect(useSessionStore.getState().wallet).toBeNull();
  expect(useSupportStore.getState().unread).toBe(0);
  await loads();
  expect(useUserStore.getState()).toMatchObject({
    info: { ...ANN, Token: 'view' },
    view: { Email: 'ann@example.com', ExpiresAt: VIEW.ExpiresAt, AccountId: 7 },
  });
  await useUserStore.getState().loadInfo();
  expect(stored(sessionStorage).info).toMatchObject({ Token: 'view' });
  expect(stored(localStorage).info).toMatchObject({ Token: 'own' });
});

test('what other tabs do with the session does not reach it', async () => {
  await views();
  for (const info of [{ ...OPERATOR, Token: 'own again' }, { ...OPERATOR, UserId: 3, Token: 'other' }, null]) {
    localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info }, version: 0 }));
    window.dispatchEvent(new StorageEvent('storage', { key: USER_STORE_KEY }));
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(useUserStore.getState().info?.Token).toBe('view');
  }
  expect(replace).toHaveBeenCalledTimes(1);
});

test.each([
  ['the button', signOut],
  ['its expiry', () => post('User/GetWallet').catch(() => {})],
])('%s ends it: the tab is the operator again, at the customer', async (_, end) => {
  await views();
  await end();
  expect(replace).toHaveBeenLastCalledWith('/operator/accounts/7');
  expect(sessionStorage.getItem(USER_STORE_KEY)).toBeNull();
  // A late answer does not bring it back, nor does it reach the operator's session.
  useUserStore.setState({ center: null });
  expect(sessionStorage.getItem(USER_STORE_KEY)).toBeNull();
  expect(stored(localStorage).info).toMatchObject({ Token: 'own' });
  await loads();
  expect(useUserStore.getState()).toMatchObject({ info: { Token: 'own' }, view: null });
});

test.each([
  ['that nobody makes in a view', 'Ips/SetAutoRenew', 'this cannot be changed'],
  ['after all that the view allows', 'Ips/EditNodeNote', 'that was all'],
] as const)('a change %s is refused in a toast, unless the screen tells it', async (_, call, message) => {
  await views();
  const change = { NodeIds: [1] } as never;
  await expect(post(call, change, { silent: true })).rejects.toThrow(message);
  expect(showToast).not.toHaveBeenCalled();
  await expect(post(call, change)).rejects.toThrow();
  expect(showToast).toHaveBeenCalledWith(message, 'info');
});
