// Confirms that an email was sent.
import { EnvelopeSimpleOpen } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useConfigStore } from '@/stores/config';
import s from './auth.module.css';
import { FormLink } from './forms';

export function MailSent({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('auth');
  const isDemo = useConfigStore((state) => state.shop?.DemoShop);
  return (
    <div className={s.form} role="status">
      <EnvelopeSimpleOpen size={40} aria-hidden="true" className={s.envelope} />
      <h1>{title}</h1>
      <p>{text}</p>
      {isDemo && (
        <a className={s.mailbox} href="/demo/mail">
          {t('openMailbox')}
        </a>
      )}
      <p className={s.links}>
        <FormLink to="/login">{t('backToLogin')}</FormLink>
      </p>
    </div>
  );
}
