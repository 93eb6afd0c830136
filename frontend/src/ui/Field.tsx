// Form fields: a label, a control, a hint, and what is wrong with it.
import { Eye, EyeSlash, MagnifyingGlass, Minus, Plus } from '@phosphor-icons/react';
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import s from './ui.module.css';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

function Frame({
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

export function SearchField({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Frame label={label} hideLabel>
      {(described) => (
        <div className={s.leading}>
          <MagnifyingGlass size={16} aria-hidden="true" />
          <input type="search" placeholder={label} {...input} {...described} className={s.input} />
        </div>
      )}
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

interface StepperProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  invalid?: boolean;
}

/** A number from 0 on, with buttons beside it. What is typed beyond the most is brought back to it. */
export function Stepper({ label, value, max, onChange, invalid }: StepperProps) {
  const { t } = useTranslation();
  const set = (next: number) => onChange(Math.max(0, Math.min(max, Number.isFinite(next) ? Math.trunc(next) : 0)));
  return (
    <span className={s.stepper} data-invalid={invalid || undefined}>
      <IconButton label={`${t('less')}: ${label}`} disabled={value <= 0} onClick={() => set(value - 1)}>
        <Minus size={14} />
      </IconButton>
      <input
        aria-label={label}
        aria-invalid={invalid || undefined}
        inputMode="numeric"
        value={value}
        onFocus={(event) => event.target.select()}
        onChange={(event) => set(Number(event.target.value))}
      />
      <IconButton label={`${t('more')}: ${label}`} disabled={value >= max} onClick={() => set(value + 1)}>
        <Plus size={14} />
      </IconButton>
    </span>
  );
}

interface Segment<V extends string | number> {
  value: V;
  label: ReactNode;
}

/** A few choices side by side, of which one holds. */
export function SegmentedControl<V extends string | number>({
  label,
  value,
  segments,
  onChange,
}: {
  label: string;
  value: V;
  segments: Segment<V>[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className="visually-hidden">{label}</legend>
      <div className={s.segments}>
        {segments.map((segment) => (
          <label key={segment.value} className={s.segment}>
            <input
              type="radio"
              name={name}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            <span>{segment.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
