// An honest page for entries of the sidebar whose screens come with a later version.
import { HardHat } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { SIDEBARS } from '@/core/sidebar.gen';
import { useUserStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { Card, Page } from '@/ui/Page';
import s from './not-built.module.css';

export function NotBuiltPage() {
  const { t } = useTranslation(['nav', 'common']);
  const { pathname } = useLocation();
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const entry = SIDEBARS[level]?.find((one) => pathname === one.Path || pathname.startsWith(`${one.Path}/`));
  const child = entry?.Children.find((one) => one.Path === pathname);
  const title = [entry?.Key, child?.Key].filter(Boolean).map((key) => t(`nav:${key}` as 'nav:welcome'));
  return (
    <Page title={title.join(' · ')}>
      <Card>
        <div className={s.notBuilt}>
          <HardHat size={40} aria-hidden="true" />
          <h2>{t('common:notBuilt')}</h2>
          <p>{t('common:notBuiltHint')}</p>
          <div>
            <ButtonLink to="/static-residential-proxies/order" variant="primary">
              {t('common:buyProxies')}
            </ButtonLink>
            <ButtonLink to="/static-residential-proxies/proxy-list">{t('common:myProxies')}</ButtonLink>
          </div>
        </div>
      </Card>
    </Page>
  );
}
