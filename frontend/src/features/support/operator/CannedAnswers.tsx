// Menu of canned answers, and the dialog that manages them.
import { ChatText, PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { cannedAnswersQuery, deleteCannedAnswer } from '@/api/support';
import { useCall } from '@/api/useCall';
import { useMay } from '@/stores/may';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Dialog, Menu } from '@/ui/Overlay';
import { CannedAnswerDialog } from './CannedAnswerDialog';
import s from './operator.module.css';

type CannedAnswer = Schemas['CannedAnswer'];

export function CannedAnswers({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('support');
  const mayManage = useMay()('Operator/SaveCannedAnswer');
  const [isManaging, setManaging] = useState(false);
  const answers = useQuery(cannedAnswersQuery);
  const items = (answers.data ?? []).map((answer) => ({
    key: String(answer.CannedAnswerId),
    label: answer.Title,
    onSelect: () => onChoose(answer.Text),
  }));
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('canned.title')}>
            <ChatText size={18} />
          </IconButton>
        }
        label={t('canned.title')}
        align="start"
        items={[
          ...items,
          ...(mayManage
            ? [
                {
                  key: 'manage',
                  label: t('canned.manage'),
                  icon: <PencilSimple size={16} />,
                  onSelect: () => setManaging(true),
                },
              ]
            : []),
        ]}
      />
      {isManaging && <CannedAnswerList answers={answers.data ?? []} onClose={() => setManaging(false)} />}
    </>
  );
}

function CannedAnswerList({ answers, onClose }: { answers: CannedAnswer[]; onClose: () => void }) {
  const { t } = useTranslation('support');
  const [edited, setEdited] = useState<CannedAnswer | 'new'>();
  const [deleted, setDeleted] = useState<CannedAnswer>();
  if (deleted) return <DeleteDialog answer={deleted} onClose={() => setDeleted(undefined)} />;
  if (edited) {
    return <CannedAnswerDialog answer={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />;
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('canned.title')}
      actions={
        <Button icon={<Plus size={16} />} onClick={() => setEdited('new')}>
          {t('canned.add')}
        </Button>
      }
    >
      {answers.length === 0 && <p>{t('canned.none')}</p>}
      <ul className={s.answers}>
        {answers.map((answer) => (
          <li key={answer.CannedAnswerId}>
            <div>
              <strong>{answer.Title}</strong>
              <p>{answer.Text}</p>
            </div>
            <IconButton
              size="small"
              label={t('canned.edit', { Title: answer.Title })}
              onClick={() => setEdited(answer)}
            >
              <PencilSimple size={16} />
            </IconButton>
            <IconButton
              size="small"
              label={t('canned.delete', { Title: answer.Title })}
              onClick={() => setDeleted(answer)}
            >
              <Trash size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function DeleteDialog({ answer, onClose }: { answer: CannedAnswer; onClose: () => void }) {
  const { t } = useTranslation(['support', 'common']);
  const call = useCall(deleteCannedAnswer);
  return (
    <ConfirmDialog
      call={call}
      title={t('canned.deleteTitle', { Title: answer.Title })}
      action={t('common:delete')}
      danger
      onConfirm={() => call.run({ CannedAnswerId: answer.CannedAnswerId }, onClose)}
      onClose={onClose}
    >
      <p>{t('canned.deleteHint')}</p>
    </ConfirmDialog>
  );
}
