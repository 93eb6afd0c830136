// Creates or edits a canned answer: title, and text with placeholders.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { saveCannedAnswer } from '@/api/support';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { PLACEHOLDERS } from '@/core/constants.gen';
import { TextAreaField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import s from './operator.module.css';

interface CannedAnswerDialogProps {
  /** Undefined for a new one. */
  answer: Schemas['CannedAnswer'] | undefined;
  onClose: () => void;
}

export function CannedAnswerDialog({ answer, onClose }: CannedAnswerDialogProps) {
  const { t } = useTranslation(['support', 'common']);
  const call = useCall(saveCannedAnswer, { silent: true });
  const [Title, setTitle] = useState(answer?.Title ?? '');
  const [Text, setText] = useState(answer?.Text ?? '');
  const typed = { Title, Text };
  const body = { ...(answer && { CannedAnswerId: answer.CannedAnswerId }), ...typed };
  return (
    <FormDialog
      call={call}
      title={answer ? t('canned.editTitle') : t('canned.add')}
      action={t('common:save')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, { broken: screenRules().validateCannedAnswer(typed), body, onDone: onClose })
      }
      onClose={onClose}
    >
      <TextField label={t('canned.titleField')} {...call.bind('Title', Title, setTitle)} />
      <TextAreaField
        label={t('canned.text')}
        rows={6}
        hint={t('canned.placeholders', { Names: PLACEHOLDERS.map((name) => `{${name}}`).join(' ') })}
        {...call.bind('Text', Text, setText)}
      />
    </FormDialog>
  );
}
