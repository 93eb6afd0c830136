// Controls: a search field, a number stepper, segmented and radio choices, a switch.
import { MagnifyingGlass, Minus, Plus } from '@phosphor-icons/react';
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import c from './controls.module.css';
import { Frame } from './Field';
import s from './ui.module.css';

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

/**
 * Shows the choice at once: a screen may render later than the click, for example when the address holds the choice, and the
 * control would fall back to the former choice until then.
 */
function useChosen<V>(value: V) {
  const [state, setState] = useState({ value, chosen: value });
  if (state.value !== value) setState({ value, chosen: value });
  return [state.chosen, (chosen: V) => setState({ value, chosen })] as const;
}

interface StepperProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  invalid?: boolean;
}

/** A number from 0 up with step buttons. Typed values above the maximum are clamped. */
export function Stepper({ label, value, max, onChange, invalid }: StepperProps) {
  const { t } = useTranslation();
  const [chosen, choose] = useChosen(value);
  const set = (next: number) => {
    const within = Math.max(0, Math.min(max, Number.isFinite(next) ? Math.trunc(next) : 0));
    choose(within);
    onChange(within);
  };
  return (
    <span className={s.stepper} data-invalid={invalid || undefined}>
      <IconButton label={t('decrease', { Label: label })} disabled={chosen <= 0} onClick={() => set(chosen - 1)}>
        <Minus size={14} />
      </IconButton>
      <input
        aria-label={label}
        aria-invalid={invalid || undefined}
        inputMode="numeric"
        value={chosen}
        onFocus={(event) => event.target.select()}
        onChange={(event) => set(Number(event.target.value))}
      />
      <IconButton label={t('increase', { Label: label })} disabled={chosen >= max} onClick={() => set(chosen + 1)}>
        <Plus size={14} />
      </IconButton>
    </span>
  );
}

interface Segment<V extends string | number> {
  value: V;
  label: ReactNode;
}

/** A segmented control. Every choice is accepted. */
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
  const [chosen, choose] = useChosen(value);
  return (
    <fieldset>
      <legend className="visually-hidden">{label}</legend>
      <div className={s.segments}>
        {segments.map((segment) => (
          <label key={segment.value} className={s.segment}>
            <input
              type="radio"
              name={name}
              checked={segment.value === chosen}
              onChange={() => {
                choose(segment.value);
                onChange(segment.value);
              }}
            />
            <span>{segment.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A switch that takes effect immediately, outside of a form. */
export function Toggle({
  label,
  hideLabel,
  checked,
  busy,
  onChange,
}: {
  label: string;
  hideLabel?: boolean;
  checked: boolean;
  busy?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={c.switch} aria-busy={busy || undefined}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={busy}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={c.track} aria-hidden="true" />
      <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  );
}

interface Option<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

/** Radio buttons with a hint for each. */
export function OptionList<V extends string>({
  label,
  isLabelHidden,
  value,
  options,
  error,
  onChange,
}: {
  label: string;
  /** For lists below a heading of the same name. */
  isLabelHidden?: boolean;
  value: V;
  options: Option<V>[];
  /** Why the chosen one is not possible. */
  error?: string | undefined;
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className={isLabelHidden ? 'visually-hidden' : `${s.label} ${c.legend}`}>{label}</legend>
      <div className={c.options}>
        {options.map((option) => (
          <label key={option.value} className={c.option}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.disabled}
              {...(error && option.value === value && { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
              onChange={() => onChange(option.value)}
            />
            <span>
              <strong>{option.label}</strong>
              {option.hint && <small>{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <div id={`${name}-error`} className={`${s.error} ${c.broken}`} role="alert">
          {error}
        </div>
      )}
    </fieldset>
  );
}
