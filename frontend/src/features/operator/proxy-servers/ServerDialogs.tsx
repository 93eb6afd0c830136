// Confirmations before a proxy server's secret is rotated or the server is removed.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './proxy-servers.module.css';
import type { ProxyServer } from './proxyServers';
import { SecretDialog } from './SecretDialog';

interface DialogProps {
  server: ProxyServer;
  onClose: () => void;
}

export function RotateDialog({ server, onClose }: DialogProps) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const once = useIdempotentCall();
  const [rotated, setRotated] = useState<Schemas['ProxyServerWithSecret']>();
  const rotate = async () => {
    const body = { ServerId: server.ServerId };
    try {
      setRotated(await once.send(body, (options) => post('Operator/RotateProxyServer', body, options)));
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };
  if (rotated)
    return <SecretDialog title={t('secret.rotated', { Name: server.Name })} {...rotated} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('rotate.title', { Name: server.Name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={rotate}>
            {t('rotate.confirm')}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        <p>{t('rotate.what')}</p>
        <Notice tone="warn">{t('rotate.meanwhile')}</Notice>
      </div>
    </Dialog>
  );
}

export function RemoveDialog({ server, onClose }: DialogProps) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const remove = async () => {
    const body = { ServerId: server.ServerId };
    try {
      await once.send(body, (options) => post('Operator/RemoveProxyServer', body, options));
      showToast(t('remove.done', { Name: server.Name }), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
    queryClient.invalidateQueries({ queryKey: ['proxy-server-list'] });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('remove.title', { Name: server.Name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={remove}>
            {t('remove.confirm')}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        <p>{t('remove.what', { Name: server.Name })}</p>
        <p className={s.soft}>{t('remove.stays')}</p>
      </div>
    </Dialog>
  );
}
