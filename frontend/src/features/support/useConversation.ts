// A conversation in the query cache: its newest messages first, then what comes after and what stood before.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Schemas } from '@/api/client';

export type Message = Schemas['MessageView'];
export type Attachment = Schemas['AttachmentView'];
type Conversation = Schemas['Conversation'];

export interface Window {
  Before?: number;
  After?: number;
}

/** Messages by their numbers, each once. */
export function joined(some: readonly Message[], others: readonly Message[]): Message[] {
  const all = new Map([...some, ...others].map((message) => [message.MessageId, message]));
  return [...all.values()].sort((one, other) => one.MessageId - other.MessageId);
}

const newestOf = (conversation: Conversation | undefined) => conversation?.Messages.at(-1)?.MessageId;

/** `load` asks for a window of it, `key` names it in the cache. */
export function useConversation(key: readonly unknown[], load: (window: Window) => Promise<Conversation>) {
  const client = useQueryClient();
  const loading = useRef(load);
  loading.current = load;
  const query = useQuery({
    queryKey: key,
    queryFn: async () => {
      const known = client.getQueryData<Conversation>(key);
      let newest = newestOf(known);
      if (!known || newest === undefined) return loading.current({});
      let all = known;
      for (;;) {
        const next = await loading.current({ After: newest });
        const merged = joined(client.getQueryData<Conversation>(key)?.Messages ?? all.Messages, next.Messages);
        all = { ...next, Messages: merged, HasEarlier: all.HasEarlier };
        newest = newestOf(next);
        if (!next.HasLater || newest === undefined) return all;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // News asks again; an error stays on screen only where nothing was ever shown.
    retry: 1,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a key is made anew each time
  const change = useCallback(
    (how: (now: Conversation) => Conversation) =>
      client.setQueryData<Conversation>(key, (now) => (now ? how(now) : now)),
    [client, JSON.stringify(key)],
  );
  const first = query.data?.Messages[0]?.MessageId;
  const loadEarlier = async () => {
    if (first === undefined) return;
    const earlier = await loading.current({ Before: first });
    change((now) => ({ ...now, Messages: joined(earlier.Messages, now.Messages), HasEarlier: earlier.HasEarlier }));
  };
  return {
    conversation: query.data,
    isFailed: query.isError && !query.data,
    retry: () => query.refetch(),
    refresh: () => client.invalidateQueries({ queryKey: key }),
    loadEarlier,
    change,
  };
}
