// Menu of canned answers, and the dialog that manages them.
import { ChatText, PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { Button, IconButton } from '@/ui/Button';
import { Dialog, Menu } from '@/ui/Overlay';
import { CannedAnswerDialog } from './CannedAnswerDialog';
import { CANNED_ANSWERS } from './keys';
import s from './operator.module.css';

type CannedAnswer = Schemas['CannedAnswer'];

export function CannedAnswers({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('support');
  const [isManaging, setManaging] = useState(false);
  const answers = useQuery({
    queryKey: [CANNED_ANSWERS],
    queryFn: () => post('Operator/GetCannedAnswerList', undefined, { silent: true }),
  });
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
          {
            key: 'manage',
            label: t('canned.manage'),
            icon: <PencilSimple size={16} />,
            onSelect: () => setManaging(true),
          },
        ]}
      />
      {isManaging && <CannedAnswerList answers={answers.data ?? []} onClose={() => setManaging(false)} />}
    </>
  );
}

function CannedAnswerList({ answers, onClose }: { answers: CannedAnswer[]; onClose: () => void }) {
  const { t } = useTranslation('support');
  const client = useQueryClient();
  const [edited, setEdited] = useState<CannedAnswer | 'new'>();
  const [deleted, setDeleted] = useState<CannedAnswer>();
  const take = (changed: CannedAnswer[]) => client.setQueryData([CANNED_ANSWERS], changed);
  if (deleted) return <DeleteDialog answer={deleted} onDeleted={take} onClose={() => setDeleted(undefined)} />;
  if (edited) {
    return (
      <CannedAnswerDialog
        answer={edited === 'new' ? undefined : edited}
        onSaved={(changed) => {
          take(changed);
          setEdited(undefined);
        }}
        onClose={() => setEdited(undefined)}
      />
    );
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

interface DeleteDialogProps {
  answer: CannedAnswer;
  onDeleted: (all: CannedAnswer[]) => void;
  onClose: () => void;
}

function DeleteDialog({ answer, onDeleted, onClose }: DeleteDialogProps) {
  const { t } = useTranslation(['support', 'common']);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      onDeleted(await post('Operator/DeleteCannedAnswer', { CannedAnswerId: answer.CannedAnswerId }));
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('canned.deleteTitle', { Title: answer.Title })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={isBusy} onClick={remove}>
            {t('common:delete')}
          </Button>
        </>
      }
    >
      <p>{t('canned.deleteHint')}</p>
    </Dialog>
  );
}
