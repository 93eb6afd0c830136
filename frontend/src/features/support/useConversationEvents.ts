// Notices changes of a conversation: by a stream while the tab is visible, or by polling where streams do not get through.
import { useEffect, useRef } from 'react';
import { CallError, streamLines } from '@/api/client';
import { NEWS_HEARTBEAT_SECONDS, NEWS_POLL_SECONDS } from '@/core/constants.gen';

/** A stream that is silent for longer than this is considered dead. */
const SILENCE_MS = 2.5 * NEWS_HEARTBEAT_SECONDS * 1_000;
/** Delay before reopening an ended stream, so that a stopping server is not flooded. */
const PAUSE_MS = 500;
/** Retry delay of a failed stream, increased each time; polling takes over meanwhile. */
const LONGEST_PAUSE_MS = 60_000;

type Call = 'Support/WaitForMessages' | 'Operator/WaitForConversations';

/** Calls `onEvent` initially, and whenever something may have changed. */
export function useConversationEvents(call: Call, onEvent: () => void): void {
  const told = useRef(onEvent);
  told.current = onEvent;
  useEffect(() => {
    let listening: AbortController | undefined;
    const start = () => {
      listening ??= new AbortController();
      listen(call, () => told.current(), listening.signal).catch(() => {});
    };
    const stop = () => {
      listening?.abort();
      listening = undefined;
    };
    // Browsers limit connections per server, so hidden tabs close their stream.
    const look = () => {
      if (document.hidden) stop();
      else if (!listening) start();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      stop();
    };
  }, [call]);
}

async function listen(call: Call, onEvent: () => void, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await readStream(call, onEvent, signal);
      failures = 0;
      await pause(PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted || (error instanceof CallError && error.isIgnored)) return;
      failures += 1;
      await ask(Math.min(NEWS_POLL_SECONDS * 1_000 * 2 ** (failures - 1), LONGEST_PAUSE_MS), onEvent, signal);
    }
  }
}

async function readStream(call: Call, onEvent: () => void, signal: AbortSignal): Promise<void> {
  const stream = new AbortController();
  const give = () => stream.abort();
  signal.addEventListener('abort', give);
  let silence = setTimeout(give, SILENCE_MS);
  try {
    await streamLines(
      call,
      (line) => {
        clearTimeout(silence);
        silence = setTimeout(give, SILENCE_MS);
        const { Kind } = line as { Kind: string };
        if (Kind === 'begin' || Kind === 'news') onEvent();
      },
      stream.signal,
    );
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', give);
  }
}

/** Polls every few seconds for this long. */
async function ask(forMs: number, onEvent: () => void, signal: AbortSignal): Promise<void> {
  const until = Date.now() + forMs;
  while (!signal.aborted && Date.now() < until) {
    onEvent();
    await pause(NEWS_POLL_SECONDS * 1_000, signal);
  }
}

/** Ends early when the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
