// Pending messages: shown at once, and kept until delivered. A failed one is resent with its idempotency key.
import { useEffect, useRef, useState } from 'react';
import { CallError, randomId } from '@/api/client';
import type { Attachment, Message } from './useConversation';

export interface Outgoing {
  key: string;
  text: string;
  attachments: Attachment[];
  isSending: boolean;
  /** Delivered, with this number. */
  sentId?: number;
  /** Why it was refused. */
  failed?: string;
  /** No response: it may be retried automatically. */
  isOffline?: boolean;
}

type Send = (text: string, attachmentIds: number[], idempotencyKey: string) => Promise<Message>;

/** `onSent` refetches the conversation, so that answers received meanwhile are shown before the sent message. */
export function useOutbox(send: Send, onSent: () => Promise<void>) {
  const [outgoing, setOutgoing] = useState<Outgoing[]>([]);
  const latest = useRef({ send, onSent, outgoing });
  latest.current = { send, onSent, outgoing };
  // Sent one after another, in order.
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
    const one: Outgoing = { key: randomId(), text, attachments, isSending: true };
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
