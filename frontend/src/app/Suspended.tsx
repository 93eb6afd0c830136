// What a suspended account sees: a banner above every screen, and a notice instead of screens it may not open.
import { Prohibit } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useSupportStore } from '@/stores/support';
import { Button, ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import s from './app.module.css';

export function SuspendedBanner() {
  const { t } = useTranslation();
  return (
    <div className={s.banner}>
      <Notice tone="warn">
        {fillText((marks) => t('suspended.bannerHint', marks), { Fact: <strong>{t('suspended.banner')}</strong> })}
      </Notice>
    </div>
  );
}

export function SuspendedPage() {
  const { t } = useTranslation(['common', 'nav']);
  return (
    <div className={s.notFound} data-in-layout>
      <Prohibit size={40} aria-hidden="true" className={s.sign} />
      <h1>{t('suspended.title')}</h1>
      <span>{t('suspended.text')}</span>
      <div className={s.wayBack}>
        <Button variant="primary" onClick={() => useSupportStore.getState().openChat()}>
          {t('nav:contact-support')}
        </Button>
        <ButtonLink to="/billing/wallet">{t('nav:billing-wallet')}</ButtonLink>
        <ButtonLink to="/order">{t('nav:orders')}</ButtonLink>
      </div>
    </div>
  );
}
