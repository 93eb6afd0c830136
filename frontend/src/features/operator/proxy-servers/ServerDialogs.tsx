// Confirmations before a proxy server's secret is rotated or the server is removed.
import { useTranslation } from 'react-i18next';
import { type ProxyServer, removeProxyServer, rotateProxyServer } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { ConfirmDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/toast';
import s from './proxy-servers.module.css';
import { SecretDialog } from './SecretDialog';

interface DialogProps {
  server: ProxyServer;
  onClose: () => void;
}

export function RotateDialog({ server: { ServerId, Name }, onClose }: DialogProps) {
  const { t } = useTranslation('proxy_servers');
  const call = useCall(rotateProxyServer);
  if (call.answer) return <SecretDialog title={t('secret.rotated', { Name })} {...call.answer} onClose={onClose} />;
  return (
    <ConfirmDialog
      call={call}
      title={t('rotate.title', { Name })}
      action={t('rotate.confirm')}
      danger
      onConfirm={() => call.run({ ServerId })}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{t('rotate.what')}</p>
        <Notice tone="warn">{t('rotate.meanwhile')}</Notice>
      </div>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ server: { ServerId, Name }, onClose }: DialogProps) {
  const { t } = useTranslation('proxy_servers');
  const call = useCall(removeProxyServer);
  const onDone = () => {
    showToast(t('remove.done', { Name }), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('remove.title', { Name })}
      action={t('remove.confirm')}
      danger
      onConfirm={() => call.run({ ServerId }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{t('remove.what', { Name })}</p>
        <p className={s.soft}>{t('remove.stays')}</p>
      </div>
    </ConfirmDialog>
  );
}
