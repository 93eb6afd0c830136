// The form of the editor: two texts to write or to look at, and the button that publishes them, after a question.
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { publishLegalText } from '@/api/legal';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import type { LegalKind } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { TextAreaField } from '@/ui/Field';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Dialog } from '@/ui/Overlay';
import { PlainDocument } from '@/ui/PlainDocument';
import { showToast } from '@/ui/toast';
import s from './announcements.module.css';
import { type Bodies, useDrafts } from './drafts';
import { LEGAL_AT } from './places';

const LANGUAGES = [
  { field: 'BodyEn', label: 'write.bodyEn', lang: 'en' },
  { field: 'BodyZh', label: 'write.bodyZh', lang: 'zh-CN' },
] as const;

const ROWS = 22;

interface EditorFormProps {
  kind: LegalKind;
  /** The current version, with which writing begins. */
  published: Bodies;
  /** Of the new one. */
  version: number;
}

export function EditorForm({ kind, published, version }: EditorFormProps) {
  const { t } = useTranslation('announcements');
  const navigate = useNavigate();
  const call = useCall(publishLegalText);
  const draft = useDrafts((state) => state.drafts[kind]);
  const { keep, drop } = useDrafts.getState();
  const [mode, setMode] = useState<'edit' | 'preview'>('edit');
  const [question, setQuestion] = useState<'publish' | 'discard'>();
  const form = useRef<HTMLFormElement>(null);
  const typed = draft ?? published;
  const isChanged = typed.BodyEn !== published.BodyEn || typed.BodyZh !== published.BodyZh;
  const body = { Kind: kind, ...typed };

  const showErrors = () => {
    setQuestion(undefined);
    setMode('edit');
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const leave = () => {
    drop(kind);
    navigate(LEGAL_AT, { replace: true });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (call.errors.passes(screenRules().validateLegalText(body))) setQuestion('publish');
    else showErrors();
  };
  const publish = () =>
    call.run(
      body,
      () => {
        showToast(t('write.done', { Version: version }), 'success');
        // Links to it are in the account menu.
        useConfigStore
          .getState()
          .loadShop()
          .catch(() => {});
        leave();
      },
      (error) => error.data.Fields !== undefined && showErrors(),
    );
  const bind = (field: keyof Bodies) =>
    call.bind(field, typed[field], (text) => {
      // A version without any text is an error of the first one.
      call.errors.clear('BodyEn');
      keep(kind, { ...typed, [field]: text });
    });

  return (
    <form ref={form} className={s.form} onSubmit={submit} noValidate>
      <div className={s.head}>
        <SegmentedControl
          label={t('write.mode')}
          value={mode}
          segments={[
            { value: 'edit', label: t('write.edit') },
            { value: 'preview', label: t('write.preview') },
          ]}
          onChange={setMode}
        />
        <p className={s.soft}>{t('write.hint')}</p>
      </div>
      <div className={s.columns}>
        {LANGUAGES.map(({ field, label, lang }) => (
          <div key={field}>
            {/* Stays mounted, with what it has scrolled to and can undo. */}
            <div hidden={mode === 'preview'}>
              <TextAreaField label={t(label)} hint={t('write.oneLanguage')} rows={ROWS} lang={lang} {...bind(field)} />
            </div>
            {mode === 'preview' && (
              <section className={s.preview} aria-label={t(label)}>
                <h2>{t(label)}</h2>
                <div className={s.page}>
                  {typed[field].trim() ? (
                    <PlainDocument text={typed[field]} level={3} lang={lang} />
                  ) : (
                    <p className={s.soft}>{t('write.empty')}</p>
                  )}
                </div>
              </section>
            )}
          </div>
        ))}
      </div>
      <div className={s.foot}>
        <p className={s.soft}>{t('write.kept')}</p>
        <span className={s.actions}>
          <Button onClick={() => (isChanged ? setQuestion('discard') : leave())}>{t('write.discard')}</Button>
          <Button type="submit" variant="primary">
            {t('write.publish')}
          </Button>
        </span>
      </div>
      {question === 'publish' && (
        <ConfirmDialog
          call={call}
          title={t('write.confirm', { Version: version })}
          action={t('write.confirmPublish')}
          onConfirm={publish}
          onClose={() => setQuestion(undefined)}
        >
          <p>{t('write.confirmWhat')}</p>
        </ConfirmDialog>
      )}
      {question === 'discard' && <Discard onDiscard={leave} onClose={() => setQuestion(undefined)} />}
    </form>
  );
}

function Discard({ onDiscard, onClose }: { onDiscard: () => void; onClose: () => void }) {
  const { t } = useTranslation('announcements');
  return (
    <Dialog
      open
      title={t('write.discardTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('write.keep')}</Button>
          <Button variant="danger" onClick={onDiscard}>
            {t('write.discard')}
          </Button>
        </>
      }
    >
      <p>{t('write.discardWhat')}</p>
    </Dialog>
  );
}
