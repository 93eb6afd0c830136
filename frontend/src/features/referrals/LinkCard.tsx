// The referral link, as text and as a QR code.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { CodeBlock } from '@/ui/CopyButton';
import { Card } from '@/ui/Page';
import { QrCode } from '@/ui/QrCode';
import { EmptyState } from '@/ui/State';
import s from './referrals.module.css';

export function LinkCard({ referrals }: { referrals: Schemas['Referrals'] }) {
  const { t } = useTranslation('referrals');
  return (
    <Card title={t('link.title')}>
      {referrals.Link ? (
        <div className={s.link}>
          <CodeBlock text={referrals.Link} label={t('link.label')} copyLabel={t('link.copy')} />
          <div className={s.code}>
            <p>
              {t('link.code')}
              <strong>{referrals.InvitationCode}</strong>
            </p>
            <QrCode text={referrals.Link} label={t('link.qr')} />
          </div>
        </div>
      ) : (
        <EmptyState title={t('link.hidden')}>{t('link.hiddenHint')}</EmptyState>
      )}
    </Card>
  );
}
