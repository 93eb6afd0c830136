// The account's avatar: chosen or dropped, previewed, uploaded, or removed.
import { ImageSquare, UploadSimple, UserCircle } from '@phosphor-icons/react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, upload } from '@/api/client';
import { account } from '@/core';
import { AVATAR_MAX_MEGABYTES, AVATAR_MAX_SIDE } from '@/core/constants.gen';
import { useAvatar, usePicture } from '@/stores/avatar';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { useFieldErrors } from '@/ui/form';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './avatar.module.css';

/** Number of bytes that identify the file type. */
const HEAD_BYTES = 64;

/** Only a hint for the file dialog: the type is checked by content. */
const OFFERED = 'image/png,image/jpeg,image/webp';

export function AvatarSection() {
  const { t } = useTranslation(['account', 'common']);
  const errors = useFieldErrors();
  const once = useIdempotentCall();
  const inputId = useId();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isOver, setOver] = useState(false);
  const current = useAvatar();
  const chosen = usePicture(file);
  const error = errors.textOf('File');

  const choose = async (given: File | undefined) => {
    if (!given) return;
    const head = new Uint8Array(await given.slice(0, HEAD_BYTES).arrayBuffer());
    setFile(errors.passes(account().validateAvatar(head, given.size)) ? given : undefined);
  };
  const forget = () => setFile(undefined);
  const change = async (asked: unknown, call: () => Promise<unknown>, done: string) => {
    try {
      await once.send(asked, call);
      await useUserStore.getState().loadCenter();
      forget();
      showToast(done, 'success');
    } catch (failure) {
      errors.takeFrom(failure);
    }
  };
  const save = () => file && change(file.name, () => upload('User/UploadAvatar', file), t('avatar.saved'));
  const remove = () => change('delete', () => post('User/DeleteAvatar'), t('avatar.removed'));
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
            <Button variant="primary" loading={once.isBusy} onClick={save}>
              {t('avatar.save')}
            </Button>
          </>
        ) : (
          current && (
            <Button variant="danger" loading={once.isBusy} onClick={remove}>
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
