// What other tabs of the same browser did with the session.
import { beforeEach, expect, test, vi } from 'vitest';
import { USER_STORE_KEY } from '@/core/constants.gen';
import { walletOf } from '@/test/wallet';
import { useIpsStore } from './ips';
import { type UserInfo, useSessionStore, useUserStore } from './user';

const user = (UserId: number, Token: string) => ({ UserId, Token, Email: `user${UserId}@example.com` }) as UserInfo;

/** Another tab writes the storage: this one hears of it. */
function elsewhere(info: UserInfo | null, key: string | null = USER_STORE_KEY) {
  localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info }, version: 0 }));
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

const reload = vi.fn();

beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('location', { ...window.location, reload });
  useUserStore.setState({ info: user(1, 't1') });
  useSessionStore.setState({ wallet: walletOf('5.00') });
});

test('signing out elsewhere signs out here, and forgets the balance', () => {
  elsewhere(null);
  expect(useUserStore.getState().info).toBeNull();
  expect(useSessionStore.getState().wallet).toBeNull();
});

test('so does clearing all that the browser has stored', () => {
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(useUserStore.getState().info).toBeNull();
});

test('a page that was frozen meanwhile looks when it is shown again', () => {
  localStorage.setItem(USER_STORE_KEY, JSON.stringify({ state: { info: null }, version: 0 }));
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  expect(useUserStore.getState().info).not.toBeNull();
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(useUserStore.getState().info).toBeNull();
});

test('another user who signs in elsewhere gets a new page, without the old balance', () => {
  elsewhere(user(2, 't2'));
  expect(reload).toHaveBeenCalledTimes(1);
  expect(useSessionStore.getState().wallet).toBeNull();
});

test('the same user goes on with the new session', async () => {
  elsewhere(user(1, 't3'));
  await vi.waitFor(() => expect(useUserStore.getState().info?.Token).toBe('t3'));
  expect(reload).not.toHaveBeenCalled();
  expect(useSessionStore.getState().wallet).not.toBeNull();
});

test('a visitor whose other tab signs in is signed in too', async () => {
  useUserStore.setState({ info: null });
  elsewhere(user(2, 't2'));
  await vi.waitFor(() => expect(useUserStore.getState().info?.UserId).toBe(2));
});

test('other keys say nothing about the session', () => {
  elsewhere(null, 'theme');
  expect(useUserStore.getState().info).not.toBeNull();
});

test.each([
  ['signing out forgets the draft order', () => useUserStore.getState().signOut(), {}],
  [
    'the end of a session keeps it',
    () => useUserStore.getState().endSession(),
    { paris: { country: 'FR', quantity: 2 } },
  ],
  [
    'another user who signs in after that does not get it',
    () => {
      useUserStore.getState().endSession();
      useUserStore.getState().signIn({ Token: 't9', DeviceId: 'd', User: { ...user(9, 't9') } } as never);
    },
    {},
  ],
  [
    'the same user who signs in after that goes on with it',
    () => {
      useUserStore.getState().endSession();
      useUserStore.getState().signIn({ Token: 't8', DeviceId: 'd', User: { ...user(1, 't8') } } as never);
    },
    { paris: { country: 'FR', quantity: 2 } },
  ],
])('%s', (_, leave, kept) => {
  useIpsStore.getState().setBuyParams({ quantities: { paris: { country: 'FR', quantity: 2 } } });
  leave();
  expect(useIpsStore.getState().buyParams.quantities).toEqual(kept);
});

test('a reload keeps the draft order', async () => {
  useIpsStore.getState().setBuyParams({ verStr: 'shared ISP proxies plan', periodDays: 90 });
  const stored = sessionStorage.getItem('draftOrder') ?? '';
  useIpsStore.setState(useIpsStore.getInitialState(), true);
  sessionStorage.setItem('draftOrder', stored.replace('"target":"",', ''));
  await useIpsStore.persist.rehydrate();
  expect(useIpsStore.getState().buyParams).toMatchObject({
    verStr: 'shared ISP proxies plan',
    periodDays: 90,
    target: '',
  });
});

test('a draft that cannot be read is an empty form', async () => {
  sessionStorage.setItem('draftOrder', '{"state":{"buyParams":null}}');
  await useIpsStore.persist.rehydrate();
  expect(useIpsStore.getState().buyParams.quantities).toEqual({});
});
