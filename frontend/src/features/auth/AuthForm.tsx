// Shared layout of the sign-in forms: title, fields, error, button and links.
import type { ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import s from './auth.module.css';
import type { useSubmit } from './useSubmit';

interface AuthFormProps {
  title: string;
  /** Label of the submit button. */
  submit: string;
  form: ReturnType<typeof useSubmit>['form'];
  links: ReactNode;
  children: ReactNode;
}

export function AuthForm({ title, submit, form, links, children }: AuthFormProps) {
  return (
    <form className={s.form} onSubmit={form.onSubmit} noValidate>
      <h1>{title}</h1>
      {children}
      {form.message && <Notice tone="bad">{form.message}</Notice>}
      <Button type="submit" variant="primary" size="large" wide loading={form.isBusy}>
        {submit}
      </Button>
      <p className={s.links}>{links}</p>
    </form>
  );
}
