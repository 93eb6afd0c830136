// Whether the server can be reached. A failed request, or the browser, says that it cannot; then it is tried until it answers again.
import { create } from 'zustand';

/** `offline`: this device has no network. `unreachable`: it has, but the server does not answer. */
export type Lost = 'offline' | 'unreachable';

const PROBE_MS = 5_000;

// The prerendered screens are drawn without a browser.
const isOffline = () => globalThis.navigator?.onLine === false;

export const useConnection = create<{ lost: Lost | null }>(() => ({ lost: isOffline() ? 'offline' : null }));

let timer: ReturnType<typeof setInterval> | undefined;

/** When this device lost its network, in milliseconds since the page began. */
let offlineSince = 0;

/** Any response shows that the server can be reached, unless its request was sent before the device lost its network. */
export function connectionWorks(sentAt = Number.POSITIVE_INFINITY): void {
  if (useConnection.getState().lost === 'offline' && sentAt < offlineSince) return;
  clearInterval(timer);
  timer = undefined;
  if (useConnection.getState().lost) useConnection.setState({ lost: null });
}

/** A request got no response. */
export function connectionFailed(): void {
  const lost = isOffline() ? 'offline' : 'unreachable';
  if (useConnection.getState().lost !== lost) {
    if (lost === 'offline') offlineSince = performance.now();
    useConnection.setState({ lost });
  }
  timer ??= setInterval(checkConnection, PROBE_MS);
}

/** Asks for the app's page, without its body. */
export async function checkConnection(): Promise<void> {
  if (isOffline()) return;
  try {
    await fetch('/', { method: 'HEAD', cache: 'no-store' });
    connectionWorks();
  } catch {
    connectionFailed();
  }
}

globalThis.addEventListener?.('offline', connectionFailed);
globalThis.addEventListener?.('online', checkConnection);
