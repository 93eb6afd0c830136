// Sending a form: once at a time, with its errors at their fields or above the button.
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
      // The first field with an error takes the focus, so that nobody has to look for it.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
  };
  /** A field of the form: what is typed, and what is wrong with it until it is typed anew. */
  const field = (name: string, value: string, set: (typed: string) => void) => ({
    value,
    error: fields.textOf(name),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      set(event.target.value);
      fields.clear(name);
    },
  });
  return { form: { isBusy, message, onSubmit }, field };
}
