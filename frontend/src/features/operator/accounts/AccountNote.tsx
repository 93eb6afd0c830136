// The operators' note about a customer, who never sees it.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { saveAccountNote } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { ACCOUNT_NOTE_MAX_LENGTH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { TextAreaField } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

export function AccountNote({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation(['accounts', 'common']);
  const may = useMay();
  const call = useCall(saveAccountNote);
  const [note, setNote] = useState(detail.Note);
  if (detail.ClosedAt || !may('Operator/SaveAccountNote')) {
    return (
      detail.Note && (
        <Card title={t('note.title')}>
          <p className={s.note}>{detail.Note}</p>
        </Card>
      )
    );
  }
  const save = (event: FormEvent<HTMLFormElement>) =>
    call.submit(event, {
      broken: screenRules().validateAccountNote(note),
      body: { AccountId: detail.Account.AccountId, Note: note },
      onDone: (saved) => {
        setNote(saved.Note);
        showToast(t('note.saved'), 'success');
      },
    });
  return (
    <Card title={t('note.title')}>
      <form className={s.form} onSubmit={save} noValidate>
        <TextAreaField
          label={t('note.label')}
          hideLabel
          rows={4}
          hint={t('note.hint', { Max: ACCOUNT_NOTE_MAX_LENGTH })}
          {...call.bind('Note', note, setNote)}
        />
        <div>
          <Button type="submit" loading={call.isBusy}>
            {t('note.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
