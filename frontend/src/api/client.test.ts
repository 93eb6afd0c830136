// The API client: what is sent, how responses are handled, and which errors are shown.
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import { useUserStore } from '@/stores/user';
import { answerWith } from '@/test/server';
import { toastError } from '@/ui/toast';
import { bindConfirmation, CallError, post, upload } from './client';

beforeEach(() => {
  useUserStore.setState({ info: null });
});

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: CallError) => error,
  );

test('a call sends the token, the language, and only non-empty parameters', async () => {
  useUserStore.getState().signIn({
    Token: 'secret',
    DeviceId: 'device',
    User: {
      UserId: 1,
      Email: 'a@b.co',
      Level: 0,
      ResellerBasisPoints: 0,
      State: 'active',
      Language: 'en',
      TimeZone: 'UTC',
      IsView: false,
      TextsToAccept: [] as never[],
    },
  });
  await i18next.changeLanguage('zh');
  const sent = answerWith({ 'Order/GetOrderList': { Data: { Rows: [] } } });
  await post('Order/GetOrderList', { Page: 1, Search: '', Filter: { State: 'NULL' } }, { idempotencyKey: 'key' });
  expect(sent[0]?.headers).toMatchObject({ Token: 'secret', 'Accept-Language': 'zh-CN', 'Idempotency-Key': 'key' });
  expect(sent[0]?.body).toEqual({ Page: 1, Filter: {} });
});

test('times in responses are converted to this time zone', async () => {
  answerWith({ 'User/GetWallet': { Data: { WalletBalance: '2026-01-02 03:04:05' } } });
  const local = new Date('2026-01-02T03:04:05Z');
  const two = (number: number) => String(number).padStart(2, '0');
  const expected = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())} ${two(local.getHours())}:04:05`;
  expect((await post('User/GetWallet')).WalletBalance).toBe(expected);
});

test.each([
  [{ Code: 4001, Message: 'Too little' }, 'Too little'],
  [{ Code: 4001 }, 'Request failed, please contact the administrator'],
  ['network' as const, 'Network error'],
])('an error is shown once: %j', async (reply, text) => {
  answerWith({ 'User/GetWallet': reply });
  expect(await failed(post('User/GetWallet'))).toBeInstanceOf(CallError);
  expect(vi.mocked(toastError).mock.calls).toEqual([[text]]);
});

test.each([
  [{ Code: 3333, Message: 'In place' }, {}] as const,
  [{ Code: 4001, Message: 'x' }, { silent: true }] as const,
])('nothing is shown for %j with %j', async (reply, options) => {
  answerWith({ 'User/GetWallet': reply });
  expect(await failed(post('User/GetWallet', undefined, options))).toBeInstanceOf(CallError);
  expect(toastError).not.toHaveBeenCalled();
});

test.each([
  [{ Code: 4001, Message: 'Too little' }, 'Too little'],
  [{ Code: 4001 }, 'Request failed, please contact the administrator'],
  ['network' as const, 'Network error'],
])('a silent call shows no toast but carries the message to show: %j', async (reply, text) => {
  answerWith({ 'User/GetWallet': reply });
  expect(await failed(post('User/GetWallet', undefined, { silent: true }))).toMatchObject({ message: text });
  expect(toastError).not.toHaveBeenCalled();
});

test('a lone surrogate left by a field that truncates its text is sent as a replacement character', async () => {
  const sent = answerWith({ 'Order/GetOrderList': { Data: { Rows: [] } } });
  await post('Order/GetOrderList', { Page: 1, Search: '\ud83d', Filter: { Note: 'a\ude00b' } });
  expect(sent[0]?.body).toEqual({ Page: 1, Search: '\ufffd', Filter: { Note: 'a\ufffdb' } });
  expect(toastError).not.toHaveBeenCalled();
});

test('a date range that the rules reject is not reported as a network error', async () => {
  const sent = answerWith({ 'Order/GetOrderList': { Data: { Rows: [] } } });
  const error = await failed(post('Order/GetOrderList', { Page: 1, StartAndEndTime: ['yesterday', ''] }));
  expect(error?.cause).toMatchObject({ code: 'NotATime' });
  expect(sent).toEqual([]);
  expect(vi.mocked(toastError).mock.calls).toEqual([['Unknown error']]);
});

test('a cancelled call is ignored', async () => {
  const abort = new AbortController();
  vi.stubGlobal('fetch', async () => {
    abort.abort();
    throw new DOMException('aborted', 'AbortError');
  });
  const error = await failed(post('User/GetWallet', undefined, { signal: abort.signal }));
  expect(error?.isIgnored).toBe(true);
  expect(toastError).not.toHaveBeenCalled();
});

test.each([
  [{ status: 401, Code: 3001, Message: 'Sign in' }, 0] as const,
  [{ Code: 3001, Message: 'Sign in' }, 1] as const,
])('an expired session leads to sign-in: %j', async (reply, toasts) => {
  useUserStore.setState({
    info: {
      UserId: 1,
      Email: '',
      Level: 0,
      ResellerBasisPoints: 0,
      State: 'active',
      Language: 'en',
      TimeZone: '',
      IsView: false,
      TextsToAccept: [] as never[],
      Token: 't',
    },
  });
  answerWith({ 'User/GetWallet': reply });
  await failed(post('User/GetWallet'));
  expect(useUserStore.getState().info).toBeNull();
  expect(toastError).toHaveBeenCalledTimes(toasts);
});

test.each([
  ['a refusal', { status: 401, Code: 3001, Message: 'Sign in again' }],
  ['an answer', { Data: { WalletBalance: '1.00' } }],
])('%s for an earlier session is ignored: the current session stays, and nothing is shown', async (_, late) => {
  const user = {
    UserId: 1,
    Email: 'a@b.co',
    Level: 0,
    ResellerBasisPoints: 0,
    State: 'active',
    Language: 'en',
    TimeZone: 'UTC',
    IsView: false,
    TextsToAccept: [] as never[],
  } as const;
  const signIn = (Token: string) => useUserStore.getState().signIn({ Token, DeviceId: 'device', User: { ...user } });
  signIn('before');
  answerWith({
    'User/GetWallet': () => {
      signIn('now');
      return late;
    },
  });
  const error = await failed(post('User/GetWallet'));
  expect(error).toMatchObject({ isIgnored: true });
  expect(useUserStore.getState().info?.Token).toBe('now');
  expect(toastError).not.toHaveBeenCalled();
});

const WANTED = { Code: 3333, Message: 'Confirm', Data: { Key: 'twoFactorConfirm' } };

test('a call that needs a code is repeated with the same idempotency key once confirmed', async () => {
  let isConfirmed = false;
  bindConfirmation(async () => {
    isConfirmed = true;
    return true;
  });
  const sent = answerWith({ 'Wallet/CreateTopUp': () => (isConfirmed ? { Data: { OrderId: 7 } } : WANTED) });
  const body = { Amount: '50.00', PaymentMethod: 'sandbox' as const };
  expect(await post('Wallet/CreateTopUp', body, { idempotencyKey: 'key' })).toEqual({ OrderId: 7 });
  expect(sent.map((one) => [one.headers['Idempotency-Key'], one.body])).toEqual([
    ['key', body],
    ['key', body],
  ]);
  expect(toastError).not.toHaveBeenCalled();
});

test('a call whose confirmation is cancelled fails silently', async () => {
  bindConfirmation(async () => false);
  const sent = answerWith({ 'User/GetWallet': WANTED });
  expect(await failed(post('User/GetWallet'))).toMatchObject({ code: 3333, message: '', data: {}, isIgnored: true });
  expect(sent).toHaveLength(1);
  expect(toastError).not.toHaveBeenCalled();
});

test('a file is sent as a form, and the browser sets the content type', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    bodies.push(init.headers, (init.body as FormData).get('file'));
    return new Response(JSON.stringify({ Code: 1000, Message: '', Data: { AvatarChangedAt: 'now' } }));
  });
  const file = new File(['pixels'], 'logo.png', { type: 'image/png' });
  expect(await upload('User/UploadAvatar', file)).toEqual({ AvatarChangedAt: 'now' });
  expect(bodies[0]).not.toHaveProperty('Content-Type');
  expect(bodies[1]).toMatchObject({ name: 'logo.png', type: 'image/png' });
});
