// Loading locale files: batching, and retries.
import i18next, { type i18n } from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOCALE_PARALLEL_READS, LOCALE_RETRIES, LOCALE_RETRY_MS } from '@/core/constants.gen';
import { backend } from './backend';

const STAMP = '20251012163315';
let asked: string[] = [];
let times: number[] = [];
/** Responses in order; the last one is repeated. */
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

test('namespaces requested together are fetched as one file, a single one by its own name', async () => {
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

test('the version in the address is that of the page', async () => {
  document.documentElement.dataset.texts = '0a1b2c3d';
  answers = [() => Response.json({ save: 'Save' })];
  const { started } = start(['common']);
  await started;
  delete document.documentElement.dataset.texts;
  expect(asked).toEqual(['/locales/en/common.json?v=0a1b2c3d']);
});

test('a failed fetch is retried five times, after 350 ms and then with doubled delays', async () => {
  vi.useFakeTimers();
  answers = [() => new Response('', { status: 503 })];
  start(['common']);
  await vi.advanceTimersByTimeAsync(60_000);
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(waits).toEqual([350, 700, 1400, 2800, 5600]);
});

test('a fetch that failed at first succeeds', async () => {
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

test('missing texts are requested once', async () => {
  vi.useFakeTimers();
  answers = [() => new Response('', { status: 404 })];
  start(['common']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toHaveLength(1);
});
