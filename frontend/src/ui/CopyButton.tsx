// A button that copies a text and confirms it.
import { Copy } from '@phosphor-icons/react';
import i18next from 'i18next';
import { IconButton } from './Button';
import c from './controls.module.css';
import { briefToast, toastError } from './toast';

/** Copies to the clipboard, also on pages without HTTPS, where the Clipboard API is unavailable. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

/** `done` replaces the default confirmation. */
export async function copy(text: string, done?: string): Promise<void> {
  if (await toClipboard(text)) briefToast(done ?? i18next.t('copied'));
  else toastError(i18next.t('copyFailed'));
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <IconButton size="small" label={label} onClick={() => copy(text)}>
      <Copy size={15} />
    </IconButton>
  );
}

/** A code block with a copy button. Single-line values such as secrets are never truncated. */
export function CodeBlock({ text, label, copyLabel }: { text: string; label: string; copyLabel: string }) {
  return (
    <div className={c.code} data-line={/\s/.test(text) ? undefined : true}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide content must be scrollable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={copyLabel} />
    </div>
  );
}
