// Input for an authenticator code, or for a recovery code where allowed.
import { useTranslation } from 'react-i18next';
import { TextField } from '@/ui/Field';

interface CodeFieldProps {
  /** Recovery codes are accepted too. */
  takesRecovery?: boolean;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

export function CodeField({ takesRecovery, ...field }: CodeFieldProps) {
  const { t } = useTranslation('account');
  return (
    <TextField
      label={t('code.label')}
      hint={takesRecovery ? t('code.hintRecovery') : t('code.hint')}
      autoComplete="one-time-code"
      inputMode={takesRecovery ? 'text' : 'numeric'}
      spellCheck={false}
      {...field}
    />
  );
}
