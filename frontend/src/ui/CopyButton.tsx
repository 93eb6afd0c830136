// A button that copies a text and confirms it.
import { Copy } from '@phosphor-icons/react';
import i18next from 'i18next';
import { IconButton } from './Button';
import c from './controls.module.css';
import { briefToast, toastError } from './toast';

/** On pages without HTTPS, where the Clipboard API is unavailable. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // An open dialog takes the focus back from everything outside of it.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

async function toClipboard(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string' || typeof ClipboardItem === 'undefined') {
      await navigator.clipboard.writeText(await text);
    } else {
      // Safari wants to know at the click that a text comes.
      const plain = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
    }
    return true;
  } catch {
    return copySelected(await text);
  }
}

/** `done` replaces the default confirmation. Of a text that is fetched, the API client tells the failure. */
export async function copy(text: string | Promise<string>, done?: string): Promise<void> {
  const isCopied = await toClipboard(text).catch(() => undefined);
  if (isCopied) briefToast(done ?? i18next.t('copied'));
  else if (isCopied === false) toastError(i18next.t('copyFailed'));
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
