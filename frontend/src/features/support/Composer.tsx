// Message composer: text, and attachments by button, paste or drag and drop.
import { Paperclip, PaperPlaneTilt } from '@phosphor-icons/react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { screenRules } from '@/core';
import { ATTACHMENTS_PER_MESSAGE, MESSAGE_MAX_LENGTH } from '@/core/constants.gen';
import { IconButton } from '@/ui/Button';
import { showToast } from '@/ui/toast';
import s from './support.module.css';
import { UploadRow } from './UploadRow';
import type { Attachment } from './useConversation';
import type { Uploads } from './useUploads';

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  files: Uploads;
  onSend: (text: string, attachments: Attachment[]) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Additional buttons. */
  tools?: ReactNode;
}

/** Adds files, and shows a message if there are too many. */
export function useAddFiles(files: Uploads): (chosen: Iterable<File>) => void {
  const { t } = useTranslation('support');
  return (chosen) => {
    if (!files.add(chosen)) showToast(t('tooManyFiles', { Max: ATTACHMENTS_PER_MESSAGE }), 'warning');
  };
}

export function Composer({ text, onText, files, onSend, field, tools }: ComposerProps) {
  const { t } = useTranslation('support');
  const chooser = useRef<HTMLInputElement>(null);
  const hint = useId();
  const add = useAddFiles(files);
  const isSendable = Object.keys(screenRules().validateMessageWith(text, files.ready.length + files.busy)).length === 0;
  // Number of failed uploads when the message was sent: it is sent once the others have finished, unless another one fails.
  const [failedBefore, setFailedBefore] = useState<number>();
  const isWaiting = failedBefore !== undefined;

  // Grows with its content, up to the limit in the style sheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text determines the height
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [text, field]);

  const send = () => {
    if (!isSendable) return;
    if (files.busy > 0) return setFailedBefore(files.failed);
    onSend(text, files.ready);
    onText('');
    files.clearReady();
    field.current?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finished upload sends the waiting message
  useEffect(() => {
    if (failedBefore === undefined || files.busy > 0) return;
    setFailedBefore(undefined);
    if (files.failed <= failedBefore) send();
  }, [failedBefore, files.busy, files.failed]);
  return (
    <form
      className={s.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {files.uploads.length > 0 && (
        <ul className={s.uploads} aria-label={t('attachments')}>
          {files.uploads.map((one) => (
            <UploadRow
              key={one.key}
              upload={one}
              onRetry={() => files.retry(one)}
              onRemove={() => files.remove(one.key)}
            />
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        className={s.text}
        rows={1}
        value={text}
        maxLength={MESSAGE_MAX_LENGTH}
        aria-label={t('message')}
        aria-describedby={hint}
        placeholder={t('placeholder')}
        onChange={(event) => onText(event.target.value)}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          add(event.clipboardData.files);
        }}
        onKeyDown={(event) => {
          // During IME composition, Enter commits the composition.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className={s.composerActions}>
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept={screenRules().attachmentExtensions().join(',')}
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = '';
          }}
        />
        <IconButton label={t('attach')} onClick={() => chooser.current?.click()}>
          <Paperclip size={18} />
        </IconButton>
        {tools}
        <span id={hint} className={s.hint}>
          {isWaiting ? t('waitingForFiles') : files.busy > 0 ? t('uploading') : t('keys')}
        </span>
        <IconButton type="submit" variant="primary" label={t('send')} disabled={!isSendable || isWaiting}>
          <PaperPlaneTilt size={18} weight="fill" />
        </IconButton>
      </div>
    </form>
  );
}
