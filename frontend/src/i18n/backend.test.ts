// Reading texts: together, and again when a read fails.
import i18next, { type i18n } from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOCALE_PARALLEL_READS, LOCALE_RETRIES, LOCALE_RETRY_MS } from '@/core/constants.gen';
import { backend } from './backend';

const STAMP = '20251012163315';
let asked: string[] = [];
let times: number[] = [];
/** What the server answers, in turn; the last answer is repeated. */
let answers: (() => Response)[] = [];

beforeEach(() => {
  asked = [];
  times = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    times.push(Date.now());
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return (answer as () => Response)();
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(ns: string[]): { texts: i18n; started: Promise<unknown> } {
  const texts = i18next.createInstance();
  const started = texts.use(backend).init({
    lng: 'en',
    fallbackLng: 'en',
    ns,
    maxParallelReads: LOCALE_PARALLEL_READS,
    maxRetries: LOCALE_RETRIES,
    retryTimeout: LOCALE_RETRY_MS,
  });
  return { texts, started };
}

test('what is asked for at once comes in one file, and one namespace by its own name', async () => {
  answers = [() => Response.json({ common: { save: 'Save' }, auth: { email: 'E-mail' } })];
  const { texts, started } = start(['common', 'auth']);
  await started;
  expect(asked).toEqual([`/locales/en/common+auth.json?v=${STAMP}`]);
  expect(texts.t('common:save' as never)).toBe('Save');
  expect(texts.t('auth:email' as never)).toBe('E-mail');
  answers = [() => Response.json({ amount: 'Amount' })];
  await texts.loadNamespaces('billing');
  expect(asked.at(-1)).toBe(`/locales/en/billing.json?v=${STAMP}`);
  expect(texts.t('billing:amount' as never)).toBe('Amount');
});

test('a failed read is repeated five times, after 350 ms and then twice as long each time', async () => {
  vi.useFakeTimers();
  answers = [() => new Response('', { status: 503 })];
  start(['common']);
  await vi.advanceTimersByTimeAsync(60_000);
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(waits).toEqual([350, 700, 1400, 2800, 5600]);
});

test('a read that failed for a while comes to its end', async () => {
  vi.useFakeTimers();
  answers = [
    () => {
      throw new TypeError('the network is away');
    },
    () => Response.json({ save: 'Save' }),
  ];
  const { texts, started } = start(['common']);
  await vi.advanceTimersByTimeAsync(LOCALE_RETRY_MS);
  await started;
  expect(texts.t('common:save' as never)).toBe('Save');
});

test('texts that are not there are asked for once', async () => {
  vi.useFakeTimers();
  answers = [() => new Response('', { status: 404 })];
  start(['common']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toHaveLength(1);
});
