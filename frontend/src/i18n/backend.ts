// i18next backend: namespaces requested together are fetched as one file.
import type { BackendModule, ReadCallback } from 'i18next';
import { connectionFailed } from '@/api/connection';
import { textsAddress } from './start';

interface Wanted {
  namespace: string;
  callback: ReadCallback;
}

/** A missing file is not retried; any other failure is. */
const NOT_FOUND = 404;

async function read(language: string, wanted: Wanted[]): Promise<void> {
  const names = wanted.map(({ namespace }) => namespace);
  const address = textsAddress(language, names);
  let status = 0;
  try {
    const response = await fetch(address);
    status = response.status;
    if (!response.ok) throw new Error(`${address} answered ${status}`);
    const texts = await response.json();
    for (const { namespace, callback } of wanted) callback(null, wanted.length === 1 ? texts : texts[namespace]);
  } catch (error) {
    if (status === 0 && error instanceof TypeError) connectionFailed();
    const mayTryAgain = status !== NOT_FOUND;
    for (const { callback } of wanted) callback(error as Error, mayTryAgain);
  }
}

const waiting = new Map<string, Wanted[]>();

export const backend: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init() {},
  read(language, namespace, callback) {
    const already = waiting.get(language);
    if (already) {
      already.push({ namespace, callback });
      return;
    }
    const wanted = [{ namespace, callback }];
    waiting.set(language, wanted);
    queueMicrotask(() => {
      waiting.delete(language);
      read(language, wanted);
    });
  },
};
