// A value to be copied, and one that is hidden until somebody asks for it.
import { Eye, EyeSlash } from '@phosphor-icons/react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import s from './static.module.css';

export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={s.secret}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

interface SecretLabels {
  show: string;
  hide: string;
  copy: string;
}

export function useSecretLabels(): SecretLabels {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  return useMemo(
    () => ({ show: t('common:showPassword'), hide: t('common:hidePassword'), copy: t('list.copyPassword') }),
    [t],
  );
}

/** Hidden until somebody asks for it; copied without being shown. */
export function Secret({ text, labels }: { text: string; labels: SecretLabels }) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={s.secret}>
      <code>{isShown ? text : '••••••••'}</code>
      <IconButton
        size="small"
        label={isShown ? labels.hide : labels.show}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      <CopyButton text={text} label={labels.copy} />
    </span>
  );
}
