// Shows a signing secret once.
import { useTranslation } from 'react-i18next';
import type { WebhookSecret } from '@/api/webhooks';
import { Button } from '@/ui/Button';
import { CodeBlock } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import s from './webhooks.module.css';

export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: WebhookSecret;
  onClose: () => void;
}) {
  const { t } = useTranslation(['webhooks', 'common']);
  return (
    <Dialog
      open
      shownOnce
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <Notice tone="warn">{t('secret.once')}</Notice>
        <CodeBlock text={secret.Secret} label={t('secret.label')} copyLabel={t('secret.copy')} />
        {secret.OldSecretUntil && <p>{t('secret.both', { Time: secret.OldSecretUntil.slice(0, 16) })}</p>}
      </div>
    </Dialog>
  );
}
