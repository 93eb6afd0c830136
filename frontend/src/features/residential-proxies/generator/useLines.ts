// Builds the list for the current settings in a worker; stale results are dropped.
import { useEffect, useRef, useState } from 'react';
import type { FieldErrors, ListRequest } from '@/core';
import { buildEndpointList, ListError } from '@/core/endpointLists';
import type { BuiltList } from '@/core/endpointTasks';

export interface Lines {
  /** The last list that was built. */
  list: BuiltList | undefined;
  /** Errors of the settings, by field of the request. */
  fields: FieldErrors;
  isFailed: boolean;
  /** The list belongs to earlier settings. */
  isStale: boolean;
}

const NONE: Lines = { list: undefined, fields: {}, isFailed: false, isStale: false };

export function useLines(request: ListRequest | undefined): Lines & { retry: () => void } {
  const [lines, setLines] = useState<Lines>(NONE);
  const [attempt, setAttempt] = useState(0);
  // While one list is being built, only the latest request is queued.
  const wanted = useRef<ListRequest>(undefined);
  const isRunning = useRef(false);
  const text = request && JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the settings by value
  useEffect(() => {
    wanted.current = request;
    if (!request) {
      setLines(NONE);
      return;
    }
    setLines((now) => ({ ...now, isStale: true }));
    if (isRunning.current) return;
    isRunning.current = true;
    const run = async () => {
      for (let next = wanted.current; next; ) {
        const asked = next;
        const built = await outcomeOf(asked);
        next = wanted.current === asked ? undefined : wanted.current;
        if (wanted.current === asked) setLines((now) => ({ ...now, isStale: false, ...built }));
      }
      isRunning.current = false;
    };
    run();
  }, [text, attempt]);
  return { ...lines, retry: () => setAttempt((now) => now + 1) };
}

async function outcomeOf(request: ListRequest): Promise<Partial<Lines>> {
  try {
    return { list: await buildEndpointList(request), fields: {}, isFailed: false };
  } catch (error) {
    // The last valid list stays visible, greyed out, while the input is invalid.
    if (error instanceof ListError) return { fields: error.fields, isFailed: false, isStale: true };
    return { fields: {}, isFailed: true, isStale: true };
  }
}
