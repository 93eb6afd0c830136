// The list of the settings there are: built beside the page, always from the latest of them.
import { useEffect, useRef, useState } from 'react';
import type { FieldErrors, ListRequest } from '@/core';
import { buildEndpointList, ListError } from '@/core/endpointLists';
import type { BuiltList } from '@/core/endpointTasks';

export interface Lines {
  /** The last list that could be built. */
  list: BuiltList | undefined;
  /** What is wrong with the settings, by field of the request. */
  fields: FieldErrors;
  isFailed: boolean;
  /** The list is not that of the latest settings yet. */
  isStale: boolean;
}

const NONE: Lines = { list: undefined, fields: {}, isFailed: false, isStale: false };

export function useLines(request: ListRequest | undefined): Lines & { retry: () => void } {
  const [lines, setLines] = useState<Lines>(NONE);
  const [attempt, setAttempt] = useState(0);
  // While one list is being built, of those that are wanted meanwhile only the latest is built.
  const wanted = useRef<ListRequest>(undefined);
  const isRunning = useRef(false);
  const text = request && JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same settings in another object are the same settings
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
    // The last good list stays in sight, greyed, while a number is being typed.
    if (error instanceof ListError) return { fields: error.fields, isFailed: false, isStale: true };
    return { fields: {}, isFailed: true, isStale: true };
  }
}
