// Sends something that must happen once: the same question again, after a lost answer, carries the same key.
import { useRef, useState } from 'react';
import { CallError, newIdempotencyKey } from '@/api/client';

export function useOnce() {
  const attempt = useRef({ for: '', key: '' });
  const [isBusy, setBusy] = useState(false);
  /** What the server refused, or has done, is a new question when it is asked again. */
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
