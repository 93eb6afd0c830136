// Forms: what is typed, and the errors of each field, from the rules in this browser or from the server.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '@/api/client';
import type { FieldErrors } from '@/core';
import { countsAsNumbers } from '@/i18n/numbers';

/** The text about a broken rule. A screen does not wait for these texts: they are asked for when the first rule is broken. */
export function useRuleText(isAnyBroken: boolean) {
  const { t, ready } = useTranslation(isAnyBroken ? 'validation' : 'common', { useSuspense: false });
  return (broken: FieldErrors[string][number]): string =>
    ready ? t(broken.Rule, { ns: 'validation', ...countsAsNumbers(broken.Params) }) : '…';
}

/** The text for the first broken rule of each field. */
export function useFieldErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  const ruleText = useRuleText(Object.keys(errors).length > 0);
  const textOf = (field: string): string | undefined => {
    const broken = errors[field]?.[0];
    return broken && ruleText(broken);
  };
  const clear = (field: string) =>
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => name !== field)));
  /** Takes over what the server said about fields; says whether it said anything. */
  const takeFrom = (error: unknown): boolean => {
    const fields = error instanceof CallError ? (error.data.Fields as FieldErrors | undefined) : undefined;
    if (fields) setErrors(fields);
    return Boolean(fields);
  };
  /** Takes over what a rule says; says whether all is well. */
  const passes = (broken: FieldErrors): boolean => {
    setErrors(broken);
    return Object.keys(broken).length === 0;
  };
  return { textOf, clear, takeFrom, passes, set: setErrors, has: Object.keys(errors).length > 0 };
}
