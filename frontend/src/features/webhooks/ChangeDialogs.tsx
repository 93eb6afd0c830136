// Confirmations before rotating a secret, turning a webhook off, or deleting it.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { WebhookSecret, WebhookView } from '@/api/webhooks';
import { WEBHOOK_OLD_SECRET_HOURS } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { SecretDialog } from './SecretDialog';
import { DELIVERIES, keepWebhooks, webhooksQuery } from './webhooks';
import s from './webhooks.module.css';

interface ChangeProps {
  webhook: WebhookView;
  onClose: () => void;
}

export function RotateDialog({ webhook: { WebhookId }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const client = useQueryClient();
  const once = useIdempotentCall();
  const [rotated, setRotated] = useState<WebhookSecret>();
  const rotate = async () => {
    try {
      const body = { WebhookId };
      setRotated(await once.send(body, (options) => post('Webhooks/RotateWebhookSecret', body, options)));
      client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };
  if (rotated) return <SecretDialog title={t('secret.rotatedTitle')} secret={rotated} onClose={onClose} />;
  return (
    <Question
      title={t('rotate.title')}
      confirm={t('rotate.confirm')}
      isBusy={once.isBusy}
      onConfirm={rotate}
      onClose={onClose}
    >
      {t('rotate.hint', { Hours: WEBHOOK_OLD_SECRET_HOURS })}
    </Question>
  );
}

export function OffDialog({ webhook: { WebhookId }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const client = useQueryClient();
  const once = useIdempotentCall();
  const switchOff = async () => {
    try {
      const body = { WebhookId, IsEnabled: false };
      keepWebhooks(client, await once.send(body, (options) => post('Webhooks/EnableWebhook', body, options)));
      client.invalidateQueries({ queryKey: [DELIVERIES] });
      showToast(t('turnedOff'), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };
  return (
    <Question
      title={t('off.title')}
      confirm={t('off.confirm')}
      isBusy={once.isBusy}
      onConfirm={switchOff}
      onClose={onClose}
    >
      {t('off.hint')}
    </Question>
  );
}

export function DeleteDialog({ webhook: { WebhookId, Url }, onClose }: ChangeProps) {
  const { t } = useTranslation('webhooks');
  const client = useQueryClient();
  const once = useIdempotentCall();
  const remove = async () => {
    try {
      const body = { WebhookId };
      keepWebhooks(client, await once.send(body, (options) => post('Webhooks/DeleteWebhook', body, options)));
      client.invalidateQueries({ queryKey: [DELIVERIES] });
      showToast(t('delete.done'), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };
  return (
    <Question
      title={t('delete.title')}
      confirm={t('delete.confirm')}
      isDanger
      isBusy={once.isBusy}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('delete.hint', { Url })}
    </Question>
  );
}

interface QuestionProps {
  title: string;
  confirm: string;
  isDanger?: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

function Question({ title, confirm, isDanger, isBusy, onConfirm, onClose, children }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant={isDanger ? 'danger' : 'primary'} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <p className={s.question}>{children}</p>
    </Dialog>
  );
}
