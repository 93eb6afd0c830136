// Submission of the sign-in forms, which load no query cache: one request at a time, errors at the fields or above the button.
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { CallError } from '@/api/client';
import { type FieldErrors, loadCore } from '@/core';
import { useFieldErrors } from '@/ui/form';

type Core = Awaited<ReturnType<typeof loadCore>>;

export function useSubmit(validate: (core: Core) => FieldErrors, submit: () => Promise<void>) {
  const fields = useFieldErrors();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setBusy(true);
    setMessage(undefined);
    try {
      const errors = validate(await loadCore());
      fields.set(errors);
      if (Object.keys(errors).length === 0) await submit();
    } catch (error) {
      const isInPlace = error instanceof CallError && error.code !== undefined && error.data.Key !== undefined;
      if (!fields.takeFrom(error) && isInPlace) setMessage(error.message);
    } finally {
      setBusy(false);
      fields.focusFirst(form);
    }
  };
  /** Props of a field: its value, and its error until it is edited. */
  const field = (name: string, value: string, set: (typed: string) => void) => ({
    value,
    error: fields.textOf(name),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      set(event.target.value);
      fields.clear(name);
    },
  });
  /** Props of a checkbox: its error until it is ticked or unticked. */
  const tick = (name: string, set: (isTicked: boolean) => void) => ({
    error: fields.textOf(name),
    onChange: (isTicked: boolean) => {
      set(isTicked);
      fields.clear(name);
    },
  });
  return { form: { isBusy, message, onSubmit }, field, tick };
}
