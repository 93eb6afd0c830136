// An idempotent call: a retry after a lost response sends the same idempotency key, so that it takes effect once.
import { useRef, useState } from 'react';
import { CallError, newIdempotencyKey } from '@/api/client';

export function useIdempotentCall() {
  const attempt = useRef({ for: '', key: '' });
  const [isBusy, setBusy] = useState(false);
  /** After a success or a refusal, the next request gets a new key. */
  const send = async <T>(asked: unknown, call: (once: { idempotencyKey: string }) => Promise<T>): Promise<T> => {
    const text = JSON.stringify(asked);
    if (attempt.current.for !== text) attempt.current = { for: text, key: newIdempotencyKey() };
    setBusy(true);
    try {
      const answer = await call({ idempotencyKey: attempt.current.key });
      attempt.current = { for: '', key: '' };
      return answer;
    } catch (error) {
      if (error instanceof CallError && error.code !== undefined) attempt.current = { for: '', key: '' };
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy };
}
