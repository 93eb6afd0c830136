// A conversation in the query cache: the newest messages first, then later and earlier pages.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Schemas } from '@/api/client';
import { useRefetch } from '@/api/useRefetch';

export type Message = Schemas['MessageView'];
export type Attachment = Schemas['AttachmentView'];
type Conversation = Schemas['Conversation'];

export interface Window {
  Before?: number;
  After?: number;
}

/** Messages by number, without duplicates. */
export function joined(some: readonly Message[], others: readonly Message[]): Message[] {
  const all = new Map([...some, ...others].map((message) => [message.MessageId, message]));
  return [...all.values()].sort((one, other) => one.MessageId - other.MessageId);
}

const newestOf = (conversation: Conversation | undefined) => conversation?.Messages.at(-1)?.MessageId;

/** `load` fetches a page, `key` is the query key. */
export function useConversation(key: readonly unknown[], load: (window: Window) => Promise<Conversation>) {
  const client = useQueryClient();
  const refresh = useRefetch([key]);
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
    // New events refetch; an error is shown only if nothing was loaded before.
    retry: 1,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is a new array on each render
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
    refresh,
    loadEarlier,
    change,
  };
}
