// Sends a change for a screen: one at a time, a retry after a lost response under the same idempotency key, so that it takes effect once.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { FieldErrors } from '@/core';
import { useFieldErrors } from '@/ui/form';
import type { Change } from './calls';
import { CallError, isOfView, randomId } from './client';

/** Refusals with code 3333 that belong to a field, by key. */
const FIELDS: Record<string, readonly string[]> = {
  wrongPassword: ['Password', 'CurrentPassword'],
  twoFactorNeeded: ['Code'],
  twoFactorWrong: ['Code'],
};

const keyOf = (error: CallError) => (typeof error.data.Key === 'string' ? error.data.Key : undefined);

interface Submission<Body, Answer> {
  /** Field errors by core's rules: nothing is sent if there are any. */
  broken?: FieldErrors;
  body: Body;
  onDone?: (answer: Answer) => unknown;
  onFailed?: (error: CallError) => unknown;
}

/** `silent`: the screen shows every refusal itself; otherwise the API client shows a toast for those that do not belong into a form. */
export function useCall<Body, Answer>(change: Change<Body, Answer>, { silent = false } = {}) {
  const client = useQueryClient();
  const errors = useFieldErrors();
  const [refusal, setRefusal] = useState<CallError>();
  const [isUnanswered, setUnanswered] = useState(false);
  const [keys, setKeys] = useState<readonly string[]>([]);
  // The mutation's own state is rendered a moment later, and a second click may come even before the button is rendered as busy.
  const [sending, setSending] = useState<{ body: Body }>();
  const isSending = useRef(false);
  const attempt = useRef<{ body: string; key: string }>(undefined);
  const mutation = useMutation({
    networkMode: 'always',
    mutationFn: async (body: Body) => {
      const text = JSON.stringify(body) ?? '';
      if (attempt.current?.body !== text) attempt.current = { body: text, key: randomId() };
      try {
        const answer = await change.send(body, { idempotencyKey: attempt.current.key, silent });
        attempt.current = undefined;
        return answer;
      } catch (error) {
        // After a refusal, the next attempt is a new request.
        if (error instanceof CallError && error.code !== undefined) attempt.current = undefined;
        throw error;
      }
    },
  });

  const refetch = (body: Body, answer: Answer | undefined) => {
    const { outdates = [] } = change;
    const outdated = typeof outdates === 'function' ? outdates(body, answer) : outdates;
    return Promise.all(outdated.map((queryKey) => client.invalidateQueries({ queryKey })));
  };

  /** Resolves once what the call changed has been fetched again; to undefined if it failed. `onDone` runs before that. */
  const run = async (
    body: Body,
    onDone?: (answer: Answer) => unknown,
    onFailed?: (error: CallError) => unknown,
  ): Promise<Answer | undefined> => {
    if (isSending.current) return undefined;
    isSending.current = true;
    setSending({ body });
    setRefusal(undefined);
    setUnanswered(false);
    const settled = await mutation.mutateAsync(body).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    isSending.current = false;
    setSending(undefined);
    if ('error' in settled) {
      const { error } = settled;
      if (!(error instanceof CallError)) throw error;
      const key = keyOf(error);
      if (key) setKeys((now) => [...now, key]);
      errors.takeFrom(error);
      if (!error.isIgnored && (silent || (key && !isOfView(key)))) setRefusal(error);
      if (!error.isIgnored && error.code === undefined) setUnanswered(true);
      onFailed?.(error);
      await refetch(body, undefined);
      return undefined;
    }
    const { answer } = settled;
    const { answers } = change;
    if (answers) client.setQueryData(typeof answers === 'function' ? answers(body) : answers, answer);
    const refetched = refetch(body, answer);
    onDone?.(answer);
    await refetched;
    return answer;
  };

  /** Sends a form if its fields are valid; otherwise, and after a refusal, focuses the first invalid field. */
  const submit = async (
    event: FormEvent<HTMLFormElement>,
    { broken = {}, body, onDone, onFailed }: Submission<Body, Answer>,
  ): Promise<Answer | undefined> => {
    event.preventDefault();
    // Keeps the event from a form in a dialog underneath.
    event.stopPropagation();
    const form = event.currentTarget;
    if (isSending.current) return undefined;
    if (!errors.passes(broken)) {
      errors.focusFirst(form);
      return undefined;
    }
    return run(body, onDone, (error) => {
      onFailed?.(error);
      errors.focusFirst(form);
    });
  };

  const fieldsOfRefusal = (refusal && FIELDS[keyOf(refusal) ?? '']) ?? [];
  /** Props of a field: its value, and its error until it is edited. */
  const bind = <Value extends string>(field: string, value: Value, set: (typed: string) => void) => ({
    value,
    error: errors.textOf(field) ?? (fieldsOfRefusal.includes(field) ? refusal?.message : undefined),
    onChange: (event: { target: { value: string } }) => {
      set(event.target.value);
      errors.clear(field);
      setRefusal(undefined);
    },
  });

  return {
    run,
    submit,
    bind,
    errors,
    /** Why the server refused the last call, unless a toast said so. */
    refusal,
    /** The refusal's text for the form as a whole. */
    message: refusal?.data.Fields || fieldsOfRefusal.length > 0 ? undefined : refusal?.message,
    /** Whether there was no answer: for dialogs, which on phones hide what the screen says about a lost connection. */
    isUnanswered,
    forgetRefusal: () => setRefusal(undefined),
    /** Whether the server has ever refused this form for this reason. */
    wasRefused: (key: string) => keys.includes(key),
    isBusy: sending !== undefined,
    /** What is being sent. */
    sending: sending?.body,
    /** The answer to the last call. */
    answer: mutation.data,
  };
}

export type Sender<Body, Answer> = ReturnType<typeof useCall<Body, Answer>>;
