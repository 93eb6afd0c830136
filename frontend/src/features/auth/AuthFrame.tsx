// Layout of the screens for visitors: brand, theme and language switch, and a box for the form.
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadCore } from '@/core';
import { shopOfPage, useConfigStore } from '@/stores/config';
import { idle } from '@/ui/idle';
import { LogoAndName } from '@/ui/Logo';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import s from './auth.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { LegalLinks } from './LegalLinks';

export const LOGO_SIZE = 28;

/** The shop settings and rules load after this many milliseconds at the latest, even if the browser is not idle. */
const REST_MS = 1_000;

export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t, i18n } = useTranslation('auth');
  const shop = useConfigStore((state) => state.shop);
  const [ofPage] = useState(shopOfPage);

  useEffect(() => {
    // The brand comes from the page; shop settings and rules load while the user types.
    idle(REST_MS).then(() => {
      useConfigStore
        .getState()
        .loadShop()
        .catch(() => {});
      loadCore().catch(() => {});
    });
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const name = shop?.ShopName ?? ofPage.name;
  return (
    <div className={s.screen}>
      <header className={s.top}>
        <span className={s.brand}>
          <LogoAndName size={LOGO_SIZE} src={ofPage.logo} isWordmark={ofPage.isWordmark} name={name} />
        </span>
        <div className={s.settings}>
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </header>
      <aside className={s.welcome} aria-label={name}>
        <p className={s.tagline}>{ofPage.taglines[i18n.language] ?? t('tagline')}</p>
      </aside>
      <main className={s.box}>{children}</main>
      {/* It has its height before the settings of the shop have come. */}
      <footer className={s.foot}>
        {(shop?.DemoShop ?? ofPage.isDemo) && (
          <span>
            {t('demo')} <a href="/demo/mail">{t('demoMail')}</a>
          </span>
        )}
        <LegalLinks />
      </footer>
    </div>
  );
}
