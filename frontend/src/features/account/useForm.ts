// Form submission: validated by core, one request at a time, errors at the fields or above the button.
import { type FormEvent, useState } from 'react';
import { CallError, type CallOptions } from '@/api/client';
import type { FieldErrors } from '@/core';
import { useFieldErrors } from '@/ui/form';
import { useIdempotentCall } from '@/ui/useIdempotentCall';

/** Refusals with code 3333 that belong to a field, by key. */
const FIELDS: Record<string, readonly string[]> = {
  wrongPassword: ['Password', 'CurrentPassword'],
  twoFactorNeeded: ['Code'],
  twoFactorWrong: ['Code'],
};

export interface Sending<T> {
  /** Validation by core. */
  broken: FieldErrors;
  /** The request body: an unchanged body is sent with the same idempotency key. */
  asked: unknown;
  send: (options: CallOptions) => Promise<T>;
  onDone: (answer: T) => void;
}

export function useForm() {
  const errors = useFieldErrors();
  const once = useIdempotentCall();
  const [refusal, setRefusal] = useState<{ text: string; fields: readonly string[] }>();
  const [keys, setKeys] = useState<readonly string[]>([]);
  const submit = async <T>(event: FormEvent<HTMLFormElement>, { broken, asked, send, onDone }: Sending<T>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (once.isBusy) return;
    setRefusal(undefined);
    try {
      if (errors.passes(broken)) onDone(await once.send(asked, send));
    } catch (error) {
      // The API client has shown a toast for any other error.
      const key = error instanceof CallError ? error.data.Key : undefined;
      if (!errors.takeFrom(error) && typeof key === 'string') {
        setKeys((now) => [...now, key]);
        setRefusal({ text: (error as CallError).message, fields: FIELDS[key] ?? [] });
      }
    }
    // Focuses the first invalid field.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  /** Props of a field: its value, and its error until it is edited. */
  const bind = (field: string, value: string, set: (typed: string) => void) => ({
    value,
    error: errors.textOf(field) ?? (refusal?.fields.includes(field) ? refusal.text : undefined),
    onChange: (event: { target: { value: string } }) => {
      set(event.target.value);
      errors.clear(field);
      setRefusal(undefined);
    },
  });
  /** Whether the server has refused the form for this reason. */
  const wasRefused = (key: string) => keys.includes(key);
  /** Error of the form as a whole. */
  const message = refusal?.fields.length === 0 ? refusal.text : undefined;
  return { isBusy: once.isBusy, message, wasRefused, submit, bind, errors };
}

export type Form = ReturnType<typeof useForm>;
