// Messages on their way: shown at once, and kept until they have arrived. One that failed is sent again with its key, so it arrives once.
import { useEffect, useRef, useState } from 'react';
import { CallError, newIdempotencyKey } from '@/api/client';
import type { Attachment, Message } from './useConversation';

export interface Outgoing {
  key: string;
  text: string;
  attachments: Attachment[];
  isSending: boolean;
  /** It has arrived, with this number. */
  sentId?: number;
  /** Why it did not arrive. */
  failed?: string;
  /** No answer came: it may be tried again without being asked. */
  isOffline?: boolean;
}

type Send = (text: string, attachmentIds: number[], idempotencyKey: string) => Promise<Message>;

/** `onSent` reads the conversation anew: what the other side wrote meanwhile stands before a message that was just sent. */
export function useOutbox(send: Send, onSent: () => Promise<void>) {
  const [outgoing, setOutgoing] = useState<Outgoing[]>([]);
  const latest = useRef({ send, onSent, outgoing });
  latest.current = { send, onSent, outgoing };
  // One after another, in the order in which they were written.
  const queue = useRef<Promise<void>>(Promise.resolve());

  const change = (key: string, changes: Partial<Outgoing>) =>
    setOutgoing((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)));

  const deliver = async ({ key, text, attachments }: Outgoing) => {
    try {
      const ids = attachments.map(({ AttachmentId }) => AttachmentId);
      const { MessageId } = await latest.current.send(text, ids, key);
      change(key, { sentId: MessageId });
      await latest.current.onSent();
      setOutgoing((now) => now.filter((one) => one.key !== key));
    } catch (error) {
      const isOffline = error instanceof CallError && error.code === undefined;
      change(key, { isSending: false, failed: error instanceof Error ? error.message : '', isOffline });
    }
  };

  const put = (one: Outgoing) => {
    queue.current = queue.current.then(() => deliver(one));
  };

  const write = (text: string, attachments: Attachment[]) => {
    const one: Outgoing = { key: newIdempotencyKey(), text, attachments, isSending: true };
    setOutgoing((now) => [...now, one]);
    put(one);
  };

  const retry = (one: Outgoing) => {
    const again: Outgoing = { key: one.key, text: one.text, attachments: one.attachments, isSending: true };
    setOutgoing((now) => now.map((other) => (other.key === one.key ? again : other)));
    put(again);
  };

  const remove = (key: string) => setOutgoing((now) => now.filter((one) => one.key !== key));

  const retrying = useRef(retry);
  retrying.current = retry;
  useEffect(() => {
    const again = () => {
      for (const one of latest.current.outgoing) if (one.isOffline) retrying.current(one);
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);

  return { outgoing, write, retry, remove };
}

export type Outbox = ReturnType<typeof useOutbox>;
