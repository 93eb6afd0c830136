// The checkbox of the sign-up form for the seller's terms and privacy policy.
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LegalKind } from '@/core/constants.gen';
import { LEGAL_PATHS, useLegalKinds } from '@/stores/legal';
import { fillText } from '@/ui/fillText';
import s from './auth.module.css';

interface ConsentProps {
  isGiven: boolean;
  error: string | undefined;
  onChange: (isGiven: boolean) => void;
}

export function Consent({ isGiven, error, onChange }: ConsentProps) {
  const { t } = useTranslation('auth');
  const id = useId();
  const kinds = useLegalKinds();
  const link = (kind: LegalKind): ReactNode => (
    <a href={LEGAL_PATHS[kind]} target="_blank" rel="noopener">
      {t(kind === LegalKind.Terms ? 'signUp.termsLink' : 'signUp.privacyLink')}
    </a>
  );
  const [only] = kinds;
  if (!only) return null;
  const text =
    kinds.length > 1
      ? fillText((marks) => t('signUp.accept', marks), {
          Terms: link(LegalKind.Terms),
          Privacy: link(LegalKind.Privacy),
        })
      : fillText((marks) => t('signUp.acceptOne', marks), { Text: link(only) });
  return (
    <div className={s.consent}>
      <label className={s.tick}>
        <input
          type="checkbox"
          required
          checked={isGiven}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{text}</span>
      </label>
      {error && (
        <span id={id} className={s.error} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
