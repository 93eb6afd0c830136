// Confirms that an email was sent; it can be sent again, or to another address.
import { EnvelopeSimpleOpen } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfigStore } from '@/stores/config';
import { Button } from '@/ui/Button';
import s from './auth.module.css';
import { FormLink } from './forms';

interface MailSentProps {
  title: string;
  text: string;
  /** Sends the email again. */
  onResend: () => Promise<void>;
  /** Back to the form, with what was typed. */
  onChangeAddress: () => void;
}

export function MailSent({ title, text, onResend, onChangeAddress }: MailSentProps) {
  const { t } = useTranslation('auth');
  const isDemo = useConfigStore((state) => state.shop?.DemoShop);
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const resend = async () => {
    setState('busy');
    try {
      await onResend();
      setState('sent');
    } catch {
      // The API client has shown the error toast, for example that it is too soon.
      setState('idle');
    }
  };
  return (
    <div className={s.form}>
      <div className={s.form} role="status">
        <EnvelopeSimpleOpen size={40} aria-hidden="true" className={s.envelope} />
        <h1>{title}</h1>
        <p>{text}</p>
        <p>{state === 'sent' ? t('mailSent.again') : t('mailSent.hint')}</p>
      </div>
      {isDemo && (
        <a className={s.mailbox} href="/demo/mail">
          {t('openMailbox')}
        </a>
      )}
      <div className={s.again}>
        <Button loading={state === 'busy'} onClick={resend}>
          {t('mailSent.resend')}
        </Button>
        <Button variant="ghost" onClick={onChangeAddress}>
          {t('mailSent.changeAddress')}
        </Button>
      </div>
      <p className={s.links}>
        <FormLink to="/login">{t('backToLogin')}</FormLink>
      </p>
    </div>
  );
}
