// A value with a copy button, and one that is hidden until revealed.
import { Eye, EyeSlash } from '@phosphor-icons/react';
import { useState } from 'react';
import { IconButton } from './Button';
import { CopyButton } from './CopyButton';
import c from './controls.module.css';

export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={c.secret}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

export interface SecretLabels {
  show: string;
  hide: string;
  copy: string;
}

interface SecretProps {
  /** Undefined while only the server has it. */
  text: string | undefined;
  /** Fetches the text, when it is to be shown. */
  onReveal?: () => Promise<unknown>;
  labels: SecretLabels;
}

/** Hidden until revealed; can be copied without revealing it. */
export function Secret({ text, onReveal, labels }: SecretProps) {
  const [isWanted, setWanted] = useState(false);
  const isShown = isWanted && text !== undefined;
  const toggle = async () => {
    if (text === undefined) await onReveal?.();
    setWanted(!isShown);
  };
  return (
    <span className={c.secret}>
      <code>{isShown ? text : '••••••••'}</code>
      <IconButton size="small" label={isShown ? labels.hide : labels.show} aria-pressed={isShown} onClick={toggle}>
        {isShown ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      {text !== undefined && <CopyButton text={text} label={labels.copy} />}
    </span>
  );
}
