// Webhooks: endpoints, deliveries, and how to verify a request.
import { Plus } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type WebhookView, webhooksQuery } from '@/api/webhooks';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { useOpenAddForm } from '@/ui/useOpenAddForm';
import { DeleteDialog, OffDialog, RotateDialog } from './ChangeDialogs';
import { DeliveryDialog } from './DeliveryDialog';
import { DeliveryList, OPENED } from './DeliveryList';
import { VerifyGuide } from './VerifyGuide';
import { type Action, WebhookCard } from './WebhookCard';
import { WebhookDialog } from './WebhookDialog';
import s from './webhooks.module.css';

type DialogState = { action: 'add' } | { action: Action; webhook: WebhookView };

export function WebhooksPage() {
  const { t } = useTranslation(['webhooks', 'common']);
  const list = useQuery(webhooksQuery);
  const [parameters, setParameters] = useSearchParams();
  const [dialog, setDialog] = useState<DialogState>();
  const opened = Number(parameters.get(OPENED));
  const open = (deliveryId: number | undefined) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (deliveryId) next.set(OPENED, String(deliveryId));
        else next.delete(OPENED);
        return next;
      },
      { replace: true },
    );
  const webhooks = list.data?.Webhooks ?? [];
  const isFull = list.data !== undefined && webhooks.length >= list.data.MaxWebhooks;
  useOpenAddForm(() => setDialog({ action: 'add' }), list.data !== undefined && !isFull);
  return (
    <Page
      wide
      title={t('title')}
      description={isFull ? t('full', { Max: list.data?.MaxWebhooks }) : t('lead')}
      actions={
        <Button
          variant="primary"
          icon={<Plus size={17} />}
          disabled={!list.data || isFull}
          onClick={() => setDialog({ action: 'add' })}
        >
          {t('add')}
        </Button>
      }
    >
      {webhooks.length === 0 && (
        <Card>
          {list.isPending && <LoadingState rows={4} />}
          {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
          {list.data && (
            <EmptyState
              title={t('empty.title')}
              action={
                <Button variant="primary" onClick={() => setDialog({ action: 'add' })}>
                  {t('add')}
                </Button>
              }
            >
              {t('empty.hint')}
            </EmptyState>
          )}
        </Card>
      )}
      {webhooks.length > 0 && (
        <ul className={s.endpoints} aria-label={t('endpoints')}>
          {webhooks.map((webhook) => (
            <li key={webhook.WebhookId}>
              <WebhookCard webhook={webhook} onOpenDialog={(action) => setDialog({ action, webhook })} onOpen={open} />
            </li>
          ))}
        </ul>
      )}
      {webhooks.length > 0 && <DeliveryList webhooks={webhooks} />}
      {list.data && (
        <Card title={t('verify.title')}>
          <VerifyGuide />
        </Card>
      )}
      {dialog && list.data && (
        <OpenDialog dialog={dialog} testHosts={list.data.TestHosts} onClose={() => setDialog(undefined)} />
      )}
      {opened > 0 && (
        <DeliveryDialog key={opened} deliveryId={opened} webhooks={webhooks} onClose={() => open(undefined)} />
      )}
    </Page>
  );
}

/** The open dialog. */
function OpenDialog({ dialog, testHosts, onClose }: { dialog: DialogState; testHosts: string[]; onClose: () => void }) {
  if (!('webhook' in dialog)) return <WebhookDialog testHosts={testHosts} onClose={onClose} />;
  const { action, webhook } = dialog;
  if (action === 'edit') return <WebhookDialog webhook={webhook} testHosts={testHosts} onClose={onClose} />;
  if (action === 'rotate') return <RotateDialog webhook={webhook} onClose={onClose} />;
  if (action === 'delete') return <DeleteDialog webhook={webhook} onClose={onClose} />;
  return <OffDialog webhook={webhook} onClose={onClose} />;
}
