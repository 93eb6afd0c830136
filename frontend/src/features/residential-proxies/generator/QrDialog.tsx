// QR code of the list's first endpoint, for a phone app.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListRequest, screenRules } from '@/core';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { QrCode } from '@/ui/QrCode';
import s from './generator.module.css';

export function QrDialog({ request, onClose }: { request: ListRequest; onClose: () => void }) {
  const { t } = useTranslation(['generator', 'common']);
  const line = useMemo(() => {
    const { Template: _, ...plain } = request;
    return screenRules().buildList({ ...plain, Format: 'url', Count: 1 });
  }, [request]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('qr.title')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('qr.lead')}</p>
        <QrCode text={line} label={t('qr.code')} />
        <span className={s.secret}>
          <code>{line}</code>
          <CopyButton text={line} label={t('qr.copy')} />
        </span>
        <Notice tone="warn">{t('qr.secret')}</Notice>
      </div>
    </Dialog>
  );
}
