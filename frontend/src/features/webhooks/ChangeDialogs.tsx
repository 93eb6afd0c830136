// Confirmations before rotating a secret, turning a webhook off, or deleting it.
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { deleteWebhook, enableWebhook, rotateWebhookSecret, type WebhookView } from '@/api/webhooks';
import { WEBHOOK_OLD_SECRET_HOURS } from '@/core/constants.gen';
import { ConfirmDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { SecretDialog } from './SecretDialog';
import s from './webhooks.module.css';

interface ChangeProps {
  webhook: WebhookView;
  onClose: () => void;
}

export function RotateDialog({ webhook: { WebhookId }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const rotate = useCall(rotateWebhookSecret);
  if (rotate.answer) return <SecretDialog title={t('secret.rotatedTitle')} secret={rotate.answer} onClose={onClose} />;
  return (
    <ConfirmDialog
      call={rotate}
      title={t('rotate.title')}
      action={t('rotate.confirm')}
      onConfirm={() => rotate.run({ WebhookId })}
      onClose={onClose}
    >
      <p className={s.question}>{t('rotate.hint', { Hours: WEBHOOK_OLD_SECRET_HOURS })}</p>
    </ConfirmDialog>
  );
}

export function OffDialog({ webhook: { WebhookId }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const enable = useCall(enableWebhook);
  const onDone = () => {
    showToast(t('turnedOff'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={enable}
      title={t('off.title')}
      action={t('off.confirm')}
      onConfirm={() => enable.run({ WebhookId, IsEnabled: false }, onDone)}
      onClose={onClose}
    >
      <p className={s.question}>{t('off.hint')}</p>
    </ConfirmDialog>
  );
}

export function DeleteDialog({ webhook: { WebhookId, Url }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const remove = useCall(deleteWebhook);
  const onDone = () => {
    showToast(t('delete.done'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={remove}
      title={t('delete.title')}
      action={t('delete.confirm')}
      danger
      onConfirm={() => remove.run({ WebhookId }, onDone)}
      onClose={onClose}
    >
      <p className={s.question}>{t('delete.hint', { Url })}</p>
    </ConfirmDialog>
  );
}
