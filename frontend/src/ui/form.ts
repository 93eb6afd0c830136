// Form state: values and field errors, from the rules in the browser or from the server.
import { useCallback, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '@/api/client';
import type { FieldErrors } from '@/core';
import { countsAsNumbers } from '@/i18n/numbers';

/** Text of a broken rule. The validation texts are loaded with the first broken rule. */
export function useRuleText(isAnyBroken: boolean) {
  const { t, ready } = useTranslation(isAnyBroken ? 'validation' : 'common', { useSuspense: false });
  return (broken: FieldErrors[string][number]): string =>
    ready ? t(broken.Rule, { ns: 'validation', ...countsAsNumbers(broken.Params) }) : '…';
}

/** The text of the first broken rule of each field. */
export function useFieldErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refused, setRefused] = useState<{ form: HTMLFormElement }>();
  // With the render that shows the errors: a frame later, what the user types next would go to another field.
  useLayoutEffect(() => refused?.form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [refused]);
  const ruleText = useRuleText(Object.keys(errors).length > 0);
  const textOf = (field: string): string | undefined => {
    const broken = errors[field]?.[0];
    return broken && ruleText(broken);
  };
  /** The errors of all fields, for screens that do not have these fields. */
  const texts = (): string[] => [...new Set(Object.keys(errors).flatMap((field) => textOf(field) ?? []))];
  const clear = useCallback(
    (field: string) => setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => name !== field))),
    [],
  );
  /** Takes field errors from a server response; returns whether there were any. */
  const takeFrom = (error: unknown): boolean => {
    const fields = error instanceof CallError ? (error.data.Fields as FieldErrors | undefined) : undefined;
    if (fields) setErrors(fields);
    return Boolean(fields);
  };
  /** Takes field errors from a rule; returns whether the input is valid. */
  const passes = (broken: FieldErrors): boolean => {
    setErrors(broken);
    return Object.keys(broken).length === 0;
  };
  /** Focuses the form's first invalid field when its errors are shown. */
  const focusFirst = (form: HTMLFormElement) => setRefused({ form });
  return { textOf, texts, clear, takeFrom, passes, focusFirst, set: setErrors, has: Object.keys(errors).length > 0 };
}
