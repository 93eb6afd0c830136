// The account's avatar: chosen or dropped, previewed, uploaded, or removed.
import { ImageSquare, UploadSimple, UserCircle } from '@phosphor-icons/react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteAvatar, uploadAvatar } from '@/api/account';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { AVATAR_MAX_MEGABYTES, AVATAR_MAX_SIDE } from '@/core/constants.gen';
import { useAvatar, usePicture } from '@/stores/avatar';
import { refreshCenter } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import s from './avatar.module.css';

/** Number of bytes that identify the file type. */
const HEAD_BYTES = 64;

/** Only a hint for the file dialog: the type is checked by content. */
const OFFERED = 'image/png,image/jpeg,image/webp';

export function AvatarSection() {
  const { t } = useTranslation(['account', 'common']);
  const save = useCall(uploadAvatar);
  const remove = useCall(deleteAvatar);
  const inputId = useId();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isOver, setOver] = useState(false);
  const current = useAvatar();
  const chosen = usePicture(file);
  const error = save.errors.textOf('File');

  const choose = async (given: File | undefined) => {
    if (!given) return;
    const head = new Uint8Array(await given.slice(0, HEAD_BYTES).arrayBuffer());
    setFile(save.errors.passes(screenRules().validateAvatar(head, given.size)) ? given : undefined);
  };
  const forget = () => setFile(undefined);
  const done = (text: string) => async () => {
    await refreshCenter();
    forget();
    showToast(text, 'success');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const shown = chosen ?? current;
  return (
    <Section
      title={t('avatar.title')}
      lead={t('avatar.lead')}
      footer={
        file ? (
          <>
            <Button onClick={forget}>{t('common:cancel')}</Button>
            <Button variant="primary" loading={save.isBusy} onClick={() => save.run(file, done(t('avatar.saved')))}>
              {t('avatar.save')}
            </Button>
          </>
        ) : (
          current && (
            <Button
              variant="danger"
              loading={remove.isBusy}
              onClick={() => remove.run(undefined, done(t('avatar.removed')))}
            >
              {t('avatar.remove')}
            </Button>
          )
        )
      }
    >
      <div className={s.avatar}>
        <span className={s.picture}>
          {shown ? (
            <img src={shown} alt={file ? t('avatar.preview', { Name: file.name }) : t('avatar.current')} />
          ) : (
            <UserCircle size={56} role="img" aria-label={t('avatar.none')} />
          )}
        </span>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the button inside */}
        <div
          className={s.drop}
          data-over={isOver || undefined}
          onDragOver={over}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <ImageSquare size={24} aria-hidden="true" />
          <p>
            <Button size="small" icon={<UploadSimple size={15} />} onClick={() => input.current?.click()}>
              {current ? t('avatar.replace') : t('avatar.choose')}
            </Button>{' '}
            <span className={s.dropHint}>{t('avatar.drop')}</span>
          </p>
          <input
            ref={input}
            id={inputId}
            type="file"
            accept={OFFERED}
            aria-label={t('avatar.input')}
            aria-invalid={Boolean(error)}
            aria-describedby={noteId}
            tabIndex={-1}
            className="visually-hidden"
            onChange={(event) => {
              choose(event.target.files?.[0]);
              // Resets the input, so that the same file can be chosen again.
              event.target.value = '';
            }}
          />
          <p id={noteId} className={error ? s.error : s.hint} role={error ? 'alert' : undefined}>
            {error ?? t('avatar.limits', { Bytes: AVATAR_MAX_MEGABYTES, Side: AVATAR_MAX_SIDE })}
          </p>
        </div>
      </div>
    </Section>
  );
}
