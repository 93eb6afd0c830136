// Sending a form: checked by core first, once at a time, with what is wrong at its fields, or in one sentence above its button.
import { type FormEvent, useState } from 'react';
import { CallError, type CallOptions } from '@/api/client';
import type { FieldErrors } from '@/core';
import { useFieldErrors } from '@/ui/form';
import { useIdempotentCall } from '@/ui/useIdempotentCall';

/** Refusals of code 3333 that are about a field, by their key: they are said there. */
const FIELDS: Record<string, readonly string[]> = {
  wrongPassword: ['Password', 'CurrentPassword'],
  twoFactorNeeded: ['Code'],
  twoFactorWrong: ['Code'],
};

export interface Sending<T> {
  /** What core finds wrong with what was typed. */
  broken: FieldErrors;
  /** What is sent: the same again is the same request. */
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
      // A toast has said everything else.
      const key = error instanceof CallError ? error.data.Key : undefined;
      if (!errors.takeFrom(error) && typeof key === 'string') {
        setKeys((now) => [...now, key]);
        setRefusal({ text: (error as CallError).message, fields: FIELDS[key] ?? [] });
      }
    }
    // The first field with an error takes the focus, so that nobody has to look for it.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  /** A field: what is typed, and what is wrong with it until it is typed anew. */
  const bind = (field: string, value: string, set: (typed: string) => void) => ({
    value,
    error: errors.textOf(field) ?? (refusal?.fields.includes(field) ? refusal.text : undefined),
    onChange: (event: { target: { value: string } }) => {
      set(event.target.value);
      errors.clear(field);
      setRefusal(undefined);
    },
  });
  /** Whether the server has ever refused it for this reason. */
  const wasRefused = (key: string) => keys.includes(key);
  /** What is about the form as a whole. */
  const message = refusal?.fields.length === 0 ? refusal.text : undefined;
  return { isBusy: once.isBusy, message, wasRefused, submit, bind, errors };
}

export type Form = ReturnType<typeof useForm>;
