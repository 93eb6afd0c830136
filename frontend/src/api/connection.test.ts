// A lost connection, and its recovery by itself.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerWith } from '@/test/server';
import { get } from './client';
import { connectionWorks, useConnection } from './connection';

const lost = () => useConnection.getState().lost;
const network = (isOn: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOn);
  window.dispatchEvent(new Event(isOn ? 'online' : 'offline'));
};
const call = () => get('SystemSettings/GetClientIp', { silent: true }).catch(() => {});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  connectionWorks();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the browser says that it is offline, and then that it is back', async () => {
  answerWith({ '/': { Data: null } });
  network(false);
  expect(lost()).toBe('offline');
  network(true);
  await vi.waitFor(() => expect(lost()).toBeNull());
});

test('a server that does not answer is asked until it does', async () => {
  answerWith({});
  await call();
  expect(lost()).toBe('unreachable');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(lost()).toBe('unreachable');
  const sent = answerWith({ '/': { Data: null } });
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.waitFor(() => expect(lost()).toBeNull());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toHaveLength(1);
});

test('nothing is asked while the device has no network', async () => {
  const sent = answerWith({ '/': { Data: null } });
  network(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([]);
  expect(lost()).toBe('offline');
});

test('a response to a request of before says nothing about a network that is lost', async () => {
  let respond = () => {};
  vi.stubGlobal('fetch', () => new Promise((resolve) => (respond = () => resolve(Response.json({ Code: 1000 })))));
  const asked = call();
  await vi.waitFor(() => expect(respond.name).not.toBe(''));
  network(false);
  respond();
  await asked;
  expect(lost()).toBe('offline');
});

test.each([200, 500, 503])('a response %i is a connection', async (status) => {
  answerWith({});
  await call();
  answerWith({ 'SystemSettings/GetClientIp': { status, Data: { Ip: '198.51.100.1' } } });
  await call();
  expect(lost()).toBeNull();
});

test('a call that was given up is no lost connection', async () => {
  const given = new AbortController();
  vi.stubGlobal('fetch', async () => {
    given.abort();
    throw new DOMException('given up', 'AbortError');
  });
  await get('SystemSettings/GetClientIp', { silent: true, signal: given.signal }).catch(() => {});
  expect(lost()).toBeNull();
});
