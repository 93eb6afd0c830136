// Form fields: label, control, hint and error.
import { Eye, EyeSlash } from '@phosphor-icons/react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import './select.css';
import s from './ui.module.css';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is visible to screen readers only. */
  hideLabel?: boolean;
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

export function Frame({
  label,
  hint,
  error,
  hideLabel,
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={s.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : s.label}>
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': note ? noteId : undefined })}
      {note && (
        <div id={noteId} className={error ? s.error : s.hint} role={error ? 'alert' : undefined}>
          {note}
        </div>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps & InputHTMLAttributes<HTMLInputElement> & { prefix?: string };

export function TextField({ label, hint, error, hideLabel, prefix, ...input }: TextFieldProps) {
  return (
    <Frame label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {(described) => (
        <div className={prefix ? s.leading : undefined}>
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input {...input} {...described} className={s.input} />
        </div>
      )}
    </Frame>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  hideLabel,
  ...area
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Frame label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {(described) => <textarea {...area} {...described} className={`${s.input} ${s.area}`} />}
    </Frame>
  );
}

export function PasswordField({ label, hint, error, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Frame label={label} hint={hint} error={error}>
      {(described) => (
        <div className={s.withButton}>
          <input {...input} {...described} type={isShown ? 'text' : 'password'} className={s.input} />
          <IconButton
            label={isShown ? t('hidePassword') : t('showPassword')}
            onClick={() => setShown(!isShown)}
            aria-pressed={isShown}
          >
            {isShown ? <EyeSlash size={18} /> : <Eye size={18} />}
          </IconButton>
        </div>
      )}
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  hideLabel,
  children,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Frame label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {(described) => (
        <select {...select} {...described} className={s.input}>
          {children}
        </select>
      )}
    </Frame>
  );
}
