// The header: search, balance, unpaid orders, language, theme, account.
import {
  type Icon,
  IdentificationCard,
  List,
  LockKey,
  Pulse,
  Scroll,
  SignOut,
  Translate,
  User,
  Wallet,
} from '@phosphor-icons/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { NotificationBell } from '@/features/notifications/NotificationBell';
import { UnpaidOrdersMenu } from '@/features/orders/UnpaidOrdersMenu';
import { useAvatar } from '@/stores/avatar';
import { LEGAL_PATHS, useLegalKinds } from '@/stores/legal';
import { useIsSuspended, useSidebar } from '@/stores/sidebar';
import { chooseLanguage, signOut, useSessionStore, useUserStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { Skeleton } from '@/ui/Loading';
import { ChoiceMenu, Menu } from '@/ui/Overlay';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import { MoneyText } from '@/ui/texts';
import s from './app.module.css';
import { Brand } from './Brand';
import { Search } from './Search';

export const Header = memo(function Header({ isMobile, hasRules }: { isMobile: boolean; hasRules: boolean }) {
  const { t } = useTranslation(['common', 'nav']);
  const navigate = useNavigate();
  const email = useUserStore((state) => state.info?.Email);
  const view = useUserStore((state) => state.view);
  const customer = useUserStore((state) => state.center?.DisplayName);
  const isSuspended = useIsSuspended();
  const accountScreens = useAccountScreens();
  const legalKinds = useLegalKinds();
  const wallet = useSessionStore((state) => state.wallet);
  const setOpen = useUserStore((state) => state.setSidebarOpen);

  const leave = async () => {
    await signOut();
    // After a view, the page loads again.
    if (!view) navigate('/login', { replace: true });
  };

  return (
    <header className={s.header}>
      {isMobile && (
        <IconButton label={t('openMenu')} onClick={() => setOpen(true)}>
          <List size={20} />
        </IconButton>
      )}
      {/* Left of all whose width changes with the rules, which would move it under the finger. */}
      <Search isMobile={isMobile} hasRules={hasRules} />
      {isMobile && <Brand />}
      <span className={s.spring} />
      {hasRules && !isSuspended && <UnpaidOrdersMenu />}
      <Link to="/billing/wallet" className={s.balance} aria-label={t('walletBalance')}>
        <Wallet size={17} aria-hidden="true" />
        {wallet && hasRules ? (
          <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} />
        ) : (
          <Skeleton width={56} />
        )}
      </Link>
      {!isSuspended && (hasRules ? <NotificationBell /> : <span className={s.bell} />)}
      <LanguageMenu />
      <ThemeSwitch />
      <Menu
        trigger={<IconButton label={t('account')}>{hasRules ? <AvatarIcon /> : <User size={18} />}</IconButton>}
        label={customer ? `${customer} · ${email}` : email}
        items={[
          ...accountScreens.map(({ Key, Path, Icon }) => ({
            key: Key,
            to: Path,
            label: t(`nav:${Key as 'details'}`),
            icon: <Icon size={17} />,
          })),
          // A suspended account cannot open it.
          ...(isSuspended ? [] : [{ key: 'status', to: '/status', label: t('nav:status'), icon: <Pulse size={17} /> }]),
          ...legalKinds.map((kind) => ({
            key: kind,
            to: LEGAL_PATHS[kind],
            label: t(`legal.${kind}`),
            icon: <Scroll size={17} />,
          })),
          { key: 'out', label: t(view ? 'view.end' : 'signOut'), icon: <SignOut size={17} />, onSelect: leave },
        ]}
      />
    </header>
  );
});

/** The screens of the sidebar that are also in the account menu. */
const ACCOUNT_ICONS: Record<string, Icon> = {
  '/my-account/details': IdentificationCard,
  '/my-account/password': LockKey,
  '/billing/wallet': Wallet,
};

function useAccountScreens() {
  return useSidebar()
    .flatMap(({ Children }) => Children)
    .flatMap((screen) => {
      const Icon = ACCOUNT_ICONS[screen.Path];
      return Icon ? [{ ...screen, Icon }] : [];
    });
}

/** The account's avatar, if it has one. */
function AvatarIcon() {
  const avatar = useAvatar();
  return avatar ? <img src={avatar} alt="" className={s.avatar} /> : <User size={18} />;
}

const LANGUAGES = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'zh', label: '中文', lang: 'zh' },
] as const;

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <ChoiceMenu
      trigger={
        <IconButton label={t('language')}>
          <Translate size={18} />
        </IconButton>
      }
      value={i18n.language === 'zh' ? 'zh' : 'en'}
      choices={[...LANGUAGES]}
      onChoose={chooseLanguage}
    />
  );
}
