// One mail: what became of it, and what the mail server said, in full.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Mail } from '@/api/system';
import { MailState } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { DateText } from '@/ui/texts';
import { StateBadge, useAttemptsText } from './MailState';
import s from './mails.module.css';
import { textAt } from './templates';

interface MailDialogProps {
  mail: Mail;
  isSending: boolean;
  /** Undefined for those who may not. */
  onResend: (() => void) | undefined;
  onClose: () => void;
}

export function MailDialog({ mail, isSending, onResend, onClose }: MailDialogProps) {
  const { t } = useTranslation(['mails', 'common']);
  const attempts = useAttemptsText()(mail);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t(`templates.${mail.Template}`)}
      actions={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          {mail.CanResend && onResend && (
            <Button variant="primary" loading={isSending} onClick={onResend}>
              {t('resend.one')}
            </Button>
          )}
        </>
      }
    >
      <div className={s.mail}>
        <dl className={s.facts}>
          <dt>{t('recipient')}</dt>
          <dd>{mail.Recipient}</dd>
          <dt>{t('language')}</dt>
          <dd>{t(`languages.${mail.Language}`)}</dd>
          <dt>{t('stateTitle')}</dt>
          <dd className={s.state}>
            <StateBadge mail={mail} />
            {attempts && <small>{attempts}</small>}
          </dd>
          <dt>{t('created')}</dt>
          <dd>
            <DateText value={mail.CreatedAt} />
          </dd>
          <dt>{t('sent')}</dt>
          <dd>
            <DateText value={mail.SentAt} />
          </dd>
          <dt>{t('text')}</dt>
          <dd>
            <Link to={textAt(mail.Template, mail.Language)}>{t('showText')}</Link>
          </dd>
        </dl>
        {mail.Error && (
          <div className={s.said}>
            <h3>{t('error')}</h3>
            <CopyButton text={mail.Error} label={t('copyError')} />
            <pre lang="en">{mail.Error}</pre>
          </div>
        )}
        {mail.State === MailState.Failed && !mail.CanResend && <Notice tone="neutral">{t('resend.gone')}</Notice>}
      </div>
    </Dialog>
  );
}
