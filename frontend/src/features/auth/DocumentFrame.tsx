// Frame of the public pages with a long text: brand, theme and language above it, and the way back to the shop.
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LegalKind } from '@/core/constants.gen';
import { shopOfPage, useConfigStore } from '@/stores/config';
import { LogoAndName } from '@/ui/Logo';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import { LOGO_SIZE } from './AuthFrame';
import a from './auth.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { LegalLinks } from './LegalLinks';
import s from './legal.module.css';

interface DocumentFrameProps {
  kind: LegalKind;
  title: string;
  children: ReactNode;
}

export function DocumentFrame({ kind, title, children }: DocumentFrameProps) {
  const { t } = useTranslation('legal');
  const shop = useConfigStore((state) => state.shop);
  const [ofPage] = useState(shopOfPage);
  useEffect(() => {
    useConfigStore
      .getState()
      .loadShop()
      .catch(() => {});
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={s.screen}>
      <header className={s.top}>
        <Link to="/" className={s.brand}>
          <LogoAndName
            size={LOGO_SIZE}
            src={ofPage.logo}
            isWordmark={ofPage.isWordmark}
            name={shop?.ShopName ?? ofPage.name}
          />
        </Link>
        <div className={a.settings}>
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </header>
      <main className={s.page}>{children}</main>
      <footer className={s.foot}>
        <Link to="/">{t('toShop')}</Link>
        <LegalLinks except={kind} />
      </footer>
    </div>
  );
}
