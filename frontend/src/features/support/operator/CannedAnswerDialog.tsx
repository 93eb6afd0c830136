// Creates or edits a canned answer: title, and text with placeholders.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { account } from '@/core';
import { PLACEHOLDERS } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { TextAreaField, TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import s from './operator.module.css';

interface CannedAnswerDialogProps {
  /** Undefined for a new one. */
  answer: Schemas['CannedAnswer'] | undefined;
  onSaved: (all: Schemas['CannedAnswer'][]) => void;
  onClose: () => void;
}

export function CannedAnswerDialog({ answer, onSaved, onClose }: CannedAnswerDialogProps) {
  const { t } = useTranslation(['support', 'common']);
  const form = useId();
  const [Title, setTitle] = useState(answer?.Title ?? '');
  const [Text, setText] = useState(answer?.Text ?? '');
  const [isBusy, setBusy] = useState(false);
  const errors = useFieldErrors();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!errors.passes(account().validateCannedAnswer({ Title, Text }))) return;
    setBusy(true);
    const id = answer && { CannedAnswerId: answer.CannedAnswerId };
    await post('Operator/SaveCannedAnswer', { ...id, Title, Text }, { silent: true })
      .then(onSaved)
      .catch(errors.takeFrom)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={answer ? t('canned.editTitle') : t('canned.add')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={form} loading={isBusy}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      <form id={form} className={s.form} onSubmit={save}>
        <TextField
          label={t('canned.titleField')}
          value={Title}
          error={errors.textOf('Title')}
          onChange={(event) => {
            setTitle(event.target.value);
            errors.clear('Title');
          }}
        />
        <TextAreaField
          label={t('canned.text')}
          rows={6}
          value={Text}
          error={errors.textOf('Text')}
          hint={t('canned.placeholders', { Names: PLACEHOLDERS.map((name) => `{${name}}`).join(' ') })}
          onChange={(event) => {
            setText(event.target.value);
            errors.clear('Text');
          }}
        />
      </form>
    </Dialog>
  );
}
